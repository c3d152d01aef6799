import type { JsonObject } from '../base/index.ts';
import type { RecordedEvent, ServiceView } from '../events/index.ts';
import type { ResultDocument } from '../result/index.ts';

/** What every command takes. */
export interface CommonOptions {
  readonly stateDir?: string; // default `.overcast-cfn` in the current folder
  readonly lockTimeoutMs?: number; // default 60 s
  readonly region?: string;
  readonly account?: string;
  readonly scenario?: string; // path of a scenario file
}

/** Progress of a running command. All of it is optional to follow. */
export interface Progress {
  /** Something the reader should know that is no part of the result: a note on an option, a wait for the lock. */
  note?(text: string): void;
  /** New entries of the record, in order, as they happen. */
  recorded?(events: readonly RecordedEvent[]): void;
  /** After each instant of the world in which something was recorded: how things stand. */
  view?(snapshot: () => ProgressView): void;
  /** A line that a container prints, where the command follows them. */
  output?(line: { readonly task: string; readonly container: string; readonly text: string }): void;
  /** Ctrl-C: called with the function that interrupts what runs from now on, and what that does. */
  interruptible?(interrupt: () => void, what: string): void;
}

/** The tree of a terminal: stacks, their resources, the services and tasks under them. */
export interface ProgressView {
  readonly elapsedMs: number; // in the stack's own time
  readonly stacks: readonly StackProgress[];
}

export interface StackProgress {
  readonly stackName: string;
  readonly status: string;
  readonly resources: readonly {
    readonly logicalId: string;
    readonly type: string;
    readonly status: string;
    readonly statusReason: string | null;
    readonly sinceMs: number; // in this status for so long
    readonly service?: ServiceView;
  }[];
}

export interface DeployRequest extends CommonOptions, Progress {
  readonly target: string; // template file, `-`, or cloud assembly folder
  readonly standardInput?: string; // the text, when target is `-`
  readonly stacks?: readonly string[]; // of an assembly; empty: all
  readonly stackName?: string;
  readonly parameterOverrides?: { readonly [name: string]: string };
  readonly parametersFile?: string;
  readonly tags?: { readonly [key: string]: string };
  readonly capabilities?: readonly string[];
  readonly onFailure?: 'ROLLBACK' | 'DO_NOTHING' | 'DELETE';
  readonly disableRollback?: boolean;
  readonly timeoutInMinutes?: number;
  readonly runtime?: 'auto' | 'simulation' | 'docker';
  readonly images?: { readonly [from: string]: string }; // Docker: run `to` in place of `from`
  readonly publish?: string; // Docker: the address at which host ports are published; default 127.0.0.1
  readonly secretsFile?: string; // Docker: values of secrets and SSM parameters
  readonly follow?: boolean; // Docker: go on after the end, until interrupted
  readonly timing?: 'local' | 'aws'; // whose scheduler; default: as the stack was made, else local
  readonly stabilizeTimeoutMs?: number;
  readonly failFast?: boolean; // default with Docker
  readonly invent?: boolean;
  readonly seed?: number;
  readonly remove?: boolean; // --rm
  readonly execute?: boolean; // false: only plan, and change nothing; default true
  readonly app?: string; // --app "<command>"
}

export interface DeleteRequest extends CommonOptions, Progress {
  readonly stackNames: readonly string[];
  readonly retainResources?: readonly string[];
  readonly stabilizeTimeoutMs?: number;
}

export interface ValidateRequest extends CommonOptions {
  readonly target: string;
  readonly standardInput?: string;
  readonly stacks?: readonly string[];
  readonly stackName?: string;
  readonly parameterOverrides?: { readonly [name: string]: string };
  readonly parametersFile?: string;
  readonly capabilities?: readonly string[];
  readonly invent?: boolean;
}

/** What commands take that read how things stand. */
export type ReadOptions = CommonOptions & Pick<Progress, 'note'>;

export interface DoctorRequest extends ReadOptions {
  readonly clean?: boolean; // remove what no stack knows
}

const COMMON = { stateDir: '.overcast-cfn', lockTimeoutMs: 60_000 };

/** What a request means where it says nothing: the defaults of `docs/cli-contract.md`. */
export const DEFAULTS = {
  common: COMMON,
  deploy: {
    ...COMMON,
    stacks: [],
    parameterOverrides: {},
    tags: {},
    capabilities: [],
    disableRollback: false,
    runtime: 'auto',
    images: {},
    follow: false,
    invent: false,
    remove: false,
    execute: true,
  },
  delete: { ...COMMON, retainResources: [] },
  doctor: { ...COMMON, clean: false },
  validate: { ...COMMON, stacks: [], parameterOverrides: {}, capabilities: [], invent: false },
} as const;

/** A request with nothing left open that has a default. */
export type Settled<Request, Defaults> = Request & {
  readonly [Key in keyof Defaults & keyof Request]-?: NonNullable<Request[Key]>;
};
export type SettledDeploy = Settled<DeployRequest, typeof DEFAULTS.deploy>;
export type SettledDelete = Settled<DeleteRequest, typeof DEFAULTS.delete>;
export type SettledValidate = Settled<ValidateRequest, typeof DEFAULTS.validate>;
export type SettledDoctor = Settled<DoctorRequest, typeof DEFAULTS.doctor>;
export type SettledCommon = Settled<CommonOptions, typeof COMMON>;

/** How a command that runs stacks ended. `interrupted`: by Ctrl-C, exit code 130. */
export interface Outcome {
  readonly result: ResultDocument;
  readonly interrupted: boolean;
}

/** Items of a reading command, in the spelling of AWS's own describe calls. */
export interface Listing {
  readonly items: readonly JsonObject[];
}

/** One check of `doctor`. */
export interface DoctorItem {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly hint?: string;
}
