import type { Named, Report } from './option-values.ts';

/** What `addCommonOptions` reads. */
export interface CommonFlags {
  readonly stateDir: string;
  readonly lockTimeout: number; // milliseconds
  readonly region?: string;
  readonly account?: string;
  readonly scenario?: string;
  readonly output: 'text' | 'json' | 'jsonl';
  readonly verbose?: true;
}

export interface ReportFlags {
  readonly report?: readonly Report[];
}

/** What `addRunOptions` reads. */
export interface RunFlags extends CommonFlags, ReportFlags {
  readonly progress: 'auto' | 'tree' | 'events' | 'errors' | 'none';
  readonly stabilizeTimeout?: number; // milliseconds
  readonly failFast?: boolean;
  readonly predict: boolean;
}

/** What `addTemplateOptions` reads. */
interface TemplateFlags {
  readonly stackName?: string;
  readonly parameterOverrides?: Named;
  readonly parametersFile?: string;
  readonly tags?: Named;
  readonly capabilities?: readonly string[];
  readonly invent?: true;
}

export interface DeployFlags extends RunFlags, TemplateFlags {
  readonly onFailure?: 'ROLLBACK' | 'DO_NOTHING' | 'DELETE';
  readonly disableRollback?: true;
  readonly timeoutInMinutes?: number;
  readonly runtime: 'auto' | 'simulation' | 'docker';
  readonly timing?: 'local' | 'aws';
  readonly seed?: number;
  readonly app?: string;
  readonly rm?: true;
  readonly execute: boolean;
  readonly changeSet?: string;
  readonly image?: Named;
  readonly publish?: string;
  readonly follow?: true;
  readonly secretsFile?: string;
  readonly runFunctions?: true;
  readonly resourcesToImport?: string;
  readonly stackPolicy?: string;
  readonly terminationProtection?: 'on' | 'off';
}

export interface DoctorFlags extends CommonFlags {
  readonly clean?: true;
}

export interface DeleteFlags extends RunFlags {
  readonly retainResources?: readonly string[];
}

export interface ValidateFlags extends CommonFlags, ReportFlags, TemplateFlags {}
