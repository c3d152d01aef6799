import type { NetworkBinding } from '../events/index.ts';

/**
 * The result document, `docs/cli-contract.md`: what a command that changes or checks stacks answers.
 * `data/result.schema.json` describes the same as JSON Schema, and a test holds both together.
 * Times are RFC 3339 with milliseconds, durations ISO 8601. Fields are added, never renamed.
 */
export interface ResultDocument {
  readonly schemaVersion: 1;
  readonly verdict: Verdict;
  readonly localVerdict: Verdict;
  readonly runtime: RuntimeSummary;
  readonly wallSeconds: number;
  readonly assumptions: readonly string[];
  readonly inventions: readonly InventionSummary[];
  readonly stacks: readonly StackResult[];
  readonly diagnosis: readonly Finding[];
}

/** From worst to best; with several stacks the worst wins. */
export const VERDICTS = [
  'invalid',
  'failed',
  'would-hang',
  'reverted',
  'undetermined',
  'stable',
] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface RuntimeSummary {
  readonly kind: 'simulation' | 'docker';
  readonly timing: 'local' | 'aws';
  readonly seed: number;
  readonly deterministic: boolean;
}

export interface InventionSummary {
  readonly kind: 'parameter' | 'export' | 'ssm';
  readonly name: string;
  readonly value: string;
}

export interface StackResult {
  readonly stackName: string;
  readonly stackId: string | null;
  readonly parent: string | null;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'IMPORT' | null;
  readonly changes: number;
  readonly status: string | null;
  readonly statusReason: string | null;
  readonly verdict: Verdict;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly duration: string | null;
  readonly outputs: { readonly [name: string]: string };
  readonly exports: { readonly [name: string]: string };
  readonly resources: readonly ResourceResult[];
  readonly events: readonly StackEventResult[];
  readonly services: readonly ServiceResult[];
  readonly failure: FailureResult | null;
}

export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface ResourceResult {
  readonly logicalId: string;
  readonly physicalId: string | null;
  readonly type: string;
  readonly status: string;
  readonly statusReason: string | null;
  readonly constructPath: string | null;
  readonly source: Position | null;
}

export interface StackEventResult {
  readonly eventId: string;
  readonly at: string;
  readonly logicalId: string;
  readonly type: string;
  readonly physicalId: string;
  readonly status: string;
  readonly statusReason: string | null;
  readonly detailedStatus?: 'CONFIGURATION_COMPLETE';
}

export interface ServiceResult {
  readonly logicalId: string | null;
  readonly serviceArn: string;
  readonly at: string;
  readonly desiredCount: number;
  readonly runningCount: number;
  readonly pendingCount: number;
  readonly deployments: readonly DeploymentResult[];
  readonly events: readonly ServiceEventResult[];
  readonly tasks: readonly TaskResult[];
  readonly tasksOmitted: number;
}

export interface DeploymentResult {
  readonly id: string;
  readonly status: string;
  readonly taskDefinition: string;
  readonly rolloutState: string | null;
  readonly rolloutStateReason: string | null;
  readonly desiredCount: number;
  readonly runningCount: number;
  readonly pendingCount: number;
  readonly failedTasks: number;
}

export interface ServiceEventResult {
  readonly id: string;
  readonly at: string;
  readonly message: string;
  readonly shape: 'failure' | 'routine';
  readonly count: number;
}

export interface TaskResult {
  readonly taskArn: string;
  readonly deployment: string | null;
  readonly lastStatus: string;
  readonly stopCode: string | null;
  readonly stoppedReason: string | null;
  readonly alike: number;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly stoppingAt: string | null;
  readonly stoppedAt: string | null;
  readonly containers: readonly ContainerResult[];
}

export interface ContainerResult {
  readonly name: string;
  readonly lastStatus: string;
  readonly exitCode: number | null;
  readonly reason: string | null;
  readonly logTail: readonly string[];
  /** Where its ports can be reached; only of containers that really run. */
  readonly networkBindings?: readonly NetworkBinding[];
}

export interface FailureResult {
  readonly logicalId: string; // `<stack>` when the stack as a whole carries the reason
  readonly reason: string;
  readonly source: 'service-event' | 'rollout-state' | 'handler' | 'engine';
  readonly code?: string; // AWS's error code of a refused request
  readonly then: string | null;
}

/** One thing a reader can act on. */
export interface Finding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'note';
  readonly stackName: string;
  readonly logicalId: string | null;
  readonly title: string;
  readonly where: (Position & { readonly path: string; readonly lineText: string }) | null;
  readonly evidence: readonly EvidenceResult[];
  readonly hint?: string;
  readonly docs?: string;
}

export interface EvidenceResult {
  readonly source:
    | 'stack-event'
    | 'service-event'
    | 'task'
    | 'container-log'
    | 'template'
    | 'scenario'
    | 'account'
    | 'inference';
  readonly at: string | null;
  readonly text: string;
}
