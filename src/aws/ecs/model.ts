import type {
  DeploymentId,
  DueHeap,
  EpochMs,
  JsonObject,
  Queue,
  ServiceArn,
  TaskDefinitionArn,
  TaskId,
} from '../../base/index.ts';
import type { ContainerView, StopCode, TaskStatus, TaskView } from '../../events/index.ts';
import type { RevisionRecord, ServiceDeployment } from './history.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { ContainerInstance } from './placement/index.ts';
import type { Shifting } from './shifting.ts';
import type { TaskSetFacts } from './task-set.ts';

/** Amazon ECS as one account and region hold it: plain data, changed by the operations and the scheduler. */
export interface EcsState {
  readonly clusters: { [name: string]: Cluster };
  /** Those of the account's own; Fargate's two are always there besides. */
  readonly capacityProviders: { [name: string]: CapacityProvider };
  /** Newest revision of each family. */
  readonly families: { [family: string]: number };
  readonly taskDefinitions: { [arn: string]: TaskDefinition };
  readonly services: { [arn: ServiceArn]: ServiceState };
  /** Tasks that are not STOPPED. Stopped ones are kept, a few of a kind, with their deployment. */
  readonly tasks: { [id: TaskId]: TaskState };
  /** Stopped tasks that can be described: of services those that are kept, and standalone ones. */
  readonly stoppedTasks: { [id: TaskId]: StoppedTask };
  /** Services that something happened to and that the scheduler has not visited since. */
  readonly dirty: Queue<ServiceArn>;
  /** Standalone tasks that an operation made, to be passed on to the runtime. */
  readonly toStart: Queue<TaskId>;
  /** Tasks that an operation asked to stop, to be passed on to the runtime. */
  readonly toStop: Queue<TaskId>;
  readonly due: DueHeap<EcsDue>;
  /** Container instances by cluster, in order of registration. */
  readonly instances: { [cluster: string]: ContainerInstance[] };
  /** A cluster of which none are known is taken to have one host with room for all of its tasks. */
  assumesInstances: boolean;
  /** Services that wait for room on the instances of a cluster. */
  readonly awaitingRoom: { [cluster: string]: { [service: ServiceArn]: true } };
  /** Alarms that are not `OK`, by name: what watches deployments (4.40). */
  readonly alarms: { [name: string]: AlarmState };
  /** What a create with a client token made, by its ARN: asked twice, it makes one. */
  readonly madeWith: { [clientToken: string]: string };
  /** Tags by ARN, of all but tasks, which carry theirs. */
  readonly tags: { [arn: string]: readonly Tag[] };
}

/** A tag as the API spells it. */
export type Tag = { readonly key: string; readonly value: string };

/** What the scheduler comes back for at an instant of its own. */
export type EcsDue =
  | { readonly type: 'visit-service'; readonly service: ServiceArn }
  | { readonly type: 'settle-task'; readonly task: TaskId }
  /** The grace period of a task whose checks fail is over (6.36). */
  | { readonly type: 'judge-task'; readonly task: TaskId }
  /** The targets of a task that is to stop have drained. */
  | { readonly type: 'stop-drained'; readonly task: TaskId };

export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** What watches a deployment and may fail it. */
export type Monitor = 'breaker' | 'alarms';

/** What ends a deployment that does not come up: `user` is StopServiceDeployment. */
export type EndedBy = Monitor | 'hook' | 'user';

export type LaunchType = 'EC2' | 'FARGATE' | 'EXTERNAL';

/** Whose scheduler a service follows: a preset of `SchedulerRules`. */
export type Timing = 'local' | 'aws';

export interface Cluster {
  readonly name: string;
  readonly arn: string;
  /** Named by a template but made by nobody we know: taken to exist (`docs/decisions.md` 6). */
  readonly assumed: boolean;
  status: 'ACTIVE' | 'INACTIVE';
  /** `settings`, `configuration` and `serviceConnectDefaults`, as the API spells them. */
  options: JsonObject;
  capacityProviders: readonly string[];
  defaultStrategy: readonly StrategyItem[];
}

export interface StrategyItem {
  readonly capacityProvider: string;
  readonly weight: number;
  readonly base: number;
}

export interface CapacityProvider {
  readonly name: string;
  readonly arn: string;
  /** Named by a request but made by nobody we know: taken to exist (`docs/decisions.md` 6). */
  readonly assumed: boolean;
  status: 'ACTIVE' | 'INACTIVE';
  updateStatus: 'CREATE_COMPLETE' | 'UPDATE_COMPLETE' | 'DELETE_COMPLETE';
  /** The Auto Scaling group with how it scales, as the API spells it; absent of others. */
  group?: JsonObject;
  /** Of one of managed instances, as the API spells it. */
  managedInstances?: JsonObject;
}

export interface TaskDefinition {
  readonly arn: TaskDefinitionArn;
  readonly family: string;
  readonly revision: number;
  status: 'ACTIVE' | 'INACTIVE' | 'DELETE_IN_PROGRESS';
  readonly registeredAtMs: EpochMs;
  deregisteredAtMs: EpochMs | null;
  readonly networkMode: NetworkMode;
  readonly cpu?: string;
  readonly memory?: string;
  readonly platform: Platform;
  /** Fields of the request that are set and read by nobody here, as the API spells them. */
  readonly unread: readonly string[];
  readonly containerDefinitions: readonly ContainerDefinition[];
  readonly assumed: boolean;
  /** As it was registered, in the API's spelling. */
  readonly request: JsonObject;
}

export type NetworkMode = 'awsvpc' | 'bridge' | 'host' | 'none';
export type Platform = 'linux/amd64' | 'linux/arm64' | 'windows/amd64';

/** The fields of a container definition that the product follows, in the API's spelling. */
export interface ContainerDefinition {
  readonly name: string;
  readonly image: string;
  readonly essential: boolean;
  readonly entryPoint: readonly string[];
  readonly command: readonly string[];
  readonly environment: readonly EnvironmentVariable[];
  readonly secrets: readonly ContainerSecret[];
  readonly user?: string;
  readonly workingDirectory?: string;
  readonly cpuUnits?: number; // 1,024 are one CPU
  readonly memoryMebibytes?: number; // the hard limit
  readonly memoryReservationMebibytes?: number;
  readonly stopTimeoutSeconds?: number;
  readonly portMappings: readonly PortMapping[];
  readonly dependsOn: readonly ContainerDependency[];
  readonly healthCheck?: HealthCheck;
  readonly restartPolicy?: RestartPolicy;
  readonly startTimeoutSeconds?: number;
  /** Fields of the request that are set and read by nobody here, as the API spells them. */
  readonly unread: readonly string[];
}

/** A container's own check (6.70 to 6.73). */
export interface HealthCheck {
  readonly command: readonly string[]; // starts with CMD or CMD-SHELL
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly startPeriodMs: number;
}

/** When a container starts again inside its task (6.40, 6.41). */
export interface RestartPolicy {
  readonly ignoredExitCodes: readonly number[];
  readonly attemptPeriodMs: number;
}

export interface EnvironmentVariable {
  readonly name: string;
  readonly value: string;
}

/** An environment variable whose value is a secret or a parameter; only its name is kept. */
export interface ContainerSecret {
  readonly name: string;
  readonly valueFrom: string;
}

export interface PortMapping {
  readonly containerPort: number;
  readonly hostPort?: number; // 0 or absent: dynamic
  readonly protocol: 'tcp' | 'udp';
}

export interface ContainerDependency {
  readonly containerName: string;
  readonly condition: 'START' | 'COMPLETE' | 'SUCCESS' | 'HEALTHY';
}

/**
 * A task is in one phase at a time. `starting`: not RUNNING yet; `running`: RUNNING but not counted
 * (in its settle window, or its checks have not passed); `counting`: counts toward the desired count;
 * `unhealthy`: RUNNING, and to be replaced since its checks fail; `stopping`: asked to stop.
 */
export type TaskPhase = 'starting' | 'running' | 'counting' | 'unhealthy' | 'stopping';
export type TaskCounts = { readonly [Phase in TaskPhase]: number };

export interface TaskState {
  readonly id: TaskId;
  readonly service: ServiceArn | null;
  readonly deployment: DeploymentId | null;
  readonly cluster: string;
  readonly launchType: LaunchType;
  /** `service:web`, or what a task of no service says. */
  readonly group: string;
  readonly placement: TaskPlacement;
  readonly taskDefinition: TaskDefinitionArn;
  phase: TaskPhase;
  lastStatus: TaskStatus;
  readonly createdAtMs: EpochMs;
  startedAtMs: EpochMs | null;
  stoppingAtMs: EpochMs | null;
  /** Why it was asked to stop; null while nobody did. */
  stop: TaskStop | null;
  /** It counted once. */
  hasCounted: boolean;
  /** Its containers have ended, which was taken in; it is STOPPED later. */
  hasEnded: boolean;
  /** What its checks say; null where its service has none that is fed. */
  readonly health: TaskHealth | null;
  containers: readonly ContainerView[];
  /** Of a task that RunTask or StartTask made; absent from a service's. */
  readonly standalone?: Standalone;
  /** Absent where it has none. */
  tags?: readonly Tag[];
}

export interface StoppedTask extends TaskState {
  readonly stoppedAtMs: EpochMs;
}

/** What only a task without a service has: nobody replaces it. */
export interface Standalone {
  readonly timing: Timing;
  readonly startedBy: string | null;
  readonly clientToken: string | null;
  readonly overrides: JsonObject; // as the API spells them
}

/** Where a task runs; null: not on a known instance, in no subnet of its own, by no provider. */
export interface TaskPlacement {
  readonly instance: string | null;
  readonly subnet: string | null;
  readonly capacityProvider: string | null;
  /** Its host ports are taken on the instance. */
  readonly byHostPort: boolean;
}

export interface TaskStop {
  readonly code: StopCode;
  readonly reason: string;
  /** The container that ended the task. */
  readonly essentialExit?: { readonly container: string; readonly exitCode: number };
  /** Its checks failed: it is a failed task, although the scheduler stopped it (4.25). */
  readonly isFailure: boolean;
}

/** Task health by source; a source without an entry does not check the task. */
export interface TaskHealth {
  containers?: HealthStatus;
  /** By ARN of the target group. */
  readonly targets: { [targetGroup: string]: TargetStanding };
}

export type HealthStatus = 'HEALTHY' | 'UNHEALTHY' | 'UNKNOWN';

export interface TargetStanding {
  readonly container: string;
  readonly port: number;
  status: HealthStatus;
  /** Why it is unhealthy, in the balancer's words: `Health checks failed` (5.50). */
  reason: string | null;
}

/** One deployment of a service, with the fields and values DescribeServices reports. */
export interface DeploymentState {
  readonly id: DeploymentId;
  status: 'PRIMARY' | 'ACTIVE' | 'DRAINING';
  /** What UpdateService compares: the fields a change of which starts a deployment (2.50). */
  readonly revision: ServiceRevision;
  /** Null under CODE_DEPLOY and EXTERNAL, which report none (2.6). */
  rolloutState: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | null;
  rolloutStateReason: string | null;
  failedTasks: number;
  readonly createdAtMs: EpochMs;
  readonly counts: { [Phase in TaskPhase]: number };
  /** In order of arrival; entries whose task has moved on are skipped when taken. */
  readonly queues: { readonly [Phase in Exclude<TaskPhase, 'stopping'>]: Queue<TaskId> };
  /** No placement before this instant: the backoff after the newest failure. */
  blockedUntilMs: EpochMs | null;
  /** Its newest failures in a row that are alike: same stop code, exit codes, and reason apart from numbers. */
  alikeFailures: { cause: string; count: number };
  /** Its newest task was refused for what another task holds: a host port, CPU, memory. */
  refused: boolean;
  /** Tasks stopped by StopTask since the last UpdateService (4.13). */
  userStopped: number;
  /** An alarm that it lists was in ALARM when it began: no alarm watches it (4.41). */
  readonly ignoresAlarms: boolean;
  /** All tasks count, and alarms are watched until then; null before that (4.42). */
  bakesUntilMs: EpochMs | null;
  /** Put back by the breaker's rollback: no breaker watches it (`docs/decisions.md`, fine print h). */
  resurrected: boolean;
  /** Where it stands if it moves traffic from another one; null of a rolling one. */
  lifecycle: Lifecycle | null;
  /** What it is besides under CODE_DEPLOY and EXTERNAL; null under ECS. */
  taskSet: TaskSetFacts | null;
  /** The newest failure-shaped message of each rank, from which the reason is chosen. */
  readonly reasons: { [rank: number]: string };
}

export interface StoppedGroup {
  count: number;
  readonly first: TaskView[];
  readonly last: TaskView[];
}

export interface ServiceRevision {
  readonly taskDefinition: TaskDefinitionArn;
  readonly settings: JsonObject; // networkConfiguration, platformVersion, loadBalancers, …
}

export interface ServiceState {
  readonly arn: ServiceArn;
  readonly name: string;
  readonly cluster: string;
  status: 'ACTIVE' | 'DRAINING' | 'INACTIVE';
  desiredCount: number;
  readonly launchType: LaunchType;
  readonly schedulingStrategy: 'REPLICA' | 'DAEMON';
  /** Whose scheduler it follows, as the stack that made it (`docs/decisions.md` 24). */
  readonly timing: Timing;
  readonly controller: 'ECS' | 'CODE_DEPLOY' | 'EXTERNAL';
  configuration: DeploymentConfiguration;
  request: JsonObject; // as the API describes it, beyond the fields above
  readonly clientToken: string | null;
  readonly createdAtMs: EpochMs;
  readonly deployments: DeploymentState[]; // newest first; task sets under other controllers
  /** The last FAILED deployment that has left the list: a handler may still ask for it. */
  lastFailed: DeploymentState | null;
  /** The last deployment that was COMPLETED: where a rollback goes (4.14). */
  lastCompleted: { readonly id: DeploymentId; readonly revision: ServiceRevision } | null;
  /** Starts of its deployments, oldest first: the newest 100 (4.51). Empty but under ECS. */
  readonly serviceDeployments: ServiceDeployment[];
  /** What the deployments bring up that these tell of. */
  readonly revisions: { [id: DeploymentId]: RevisionRecord };
  steady: boolean;
  /** How often the service has come into a steady state. */
  steadyEdges: number;
  /** When its steady state was said last. */
  steadySaidAtMs: EpochMs | null;
  readonly said: Said;
  /** Stopped tasks by deployment and cause: the first and last three of each, with their number. */
  readonly stopped: { [cause: string]: StoppedGroup };
  /** Its tasks that are not STOPPED. */
  readonly taskIds: { [id: TaskId]: true };
  /** Its tasks that are not STOPPED, by capacity provider and by subnet. */
  readonly shares: {
    readonly providers: { [name: string]: number };
    readonly subnets: { [id: string]: number };
  };
  /** No container instance takes its next task. */
  awaitsRoom: boolean;
  /** Tasks that run since the last visit and whose targets are to be registered. */
  toRegister: TaskId[];
  /** The newest 100, oldest first. */
  readonly events: ServiceEventItem[];
  isDirty: boolean;
}

/** What was said in this episode and is not repeated in it. */
export interface Said {
  /** Placement failures, and when each was said last. */
  placements: { [message: string]: EpochMs };
  consistently: boolean;
  /** Since when it holds; null while it moves. */
  holdingSinceMs: EpochMs | null;
  /** That its percentages leave no room, in AWS's words (5.10). */
  percentages: boolean;
}

export interface ServiceEventItem {
  readonly id: string;
  readonly createdAtMs: EpochMs;
  readonly message: string;
}

export interface DeploymentConfiguration {
  readonly maximumPercent: number;
  readonly minimumHealthyPercent: number;
  readonly circuitBreaker: CircuitBreaker;
  readonly alarms: DeploymentAlarms;
  /** How traffic moves to a new deployment; null: it is a rolling one. */
  readonly shifting: Shifting | null;
}

export interface CircuitBreaker {
  readonly enable: boolean;
  readonly rollback: boolean;
  /** Absent: half the desired count within bounds (4.1, 4.4). */
  readonly threshold?: ThresholdConfiguration;
  /** Absent: as the preset has it (4.6, 4.12). */
  readonly resetOnHealthyTask?: boolean;
}

export interface ThresholdConfiguration {
  readonly type: 'BOUNDED_PERCENT' | 'UNBOUNDED_PERCENT' | 'COUNT';
  readonly value: number;
}

export interface DeploymentAlarms {
  readonly alarmNames: readonly string[];
  readonly enable: boolean;
  readonly rollback: boolean;
}

/** The room a rolling update has, in whole tasks, already rounded. */
export interface TaskBounds {
  readonly healthyMin: number;
  readonly activeMax: number;
}

/** Tasks that have not been asked to stop and are not to be replaced. */
export function live({ starting, running, counting }: TaskCounts): number {
  return starting + running + counting;
}

/** Tasks that are not STOPPED. */
export function unstopped({
  starting,
  running,
  counting,
  unhealthy,
  stopping,
}: TaskCounts): number {
  return starting + running + counting + unhealthy + stopping;
}

/** Tasks that are RUNNING and not unhealthy. */
export function serving({ running, counting }: TaskCounts): number {
  return running + counting;
}
