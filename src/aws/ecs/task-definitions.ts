import {
  arnOf,
  isObject,
  type JsonObject,
  type JsonValue,
  SECOND_MS,
  type TaskDefinitionArn,
} from '../../base/index.ts';
import { append } from '../../events/index.ts';
import type { EcsContext } from './context.ts';
import { EcsException } from './exception.ts';
import type {
  ContainerDefinition,
  ContainerDependency,
  NetworkMode,
  Platform,
  PortMapping,
  TaskDefinition,
} from './model.ts';
import { definitionQuotas, tellQuotas } from './quotas.ts';
import { isUnresolved, list, number, text, textList } from './request-values.ts';
import { noteMade } from './state.ts';
import { setTags, tagsIn } from './tags.ts';
import { taskDefinitionFaults } from './task-definition-rules.ts';

/**
 * RegisterTaskDefinition: the next revision of the family.
 *
 * @throws EcsException ClientException with the first fault of the request
 */
export function registerTaskDefinition(context: EcsContext, request: JsonObject): TaskDefinition {
  const [fault] = taskDefinitionFaults(request);
  if (fault !== undefined) throw new EcsException('ClientException', fault.message);
  const family = text(request['family']);
  if (family === undefined) {
    throw new EcsException('ClientException', 'Family should not be null or empty.');
  }
  const definition = addRevision(context, family, request, false);
  noteMade(context.state, request['clientToken'], definition.arn);
  setTags(context.state, definition.arn, tagsIn(request));
  tellQuotas(context, `task definition ${family}`, definitionQuotas(request));
  return definition;
}

/** DeregisterTaskDefinition: INACTIVE, but running tasks go on. */
export function deregisterTaskDefinition(context: EcsContext, arn: string): void {
  const definition = context.state.taskDefinitions[arn];
  if (definition === undefined || definition.status !== 'ACTIVE') {
    throw new EcsException('ClientException', 'Unable to describe task definition.');
  }
  definition.status = 'INACTIVE';
  definition.deregisteredAtMs = context.nowMs;
}

/**
 * A task definition by ARN, `family:revision` or family (its newest active revision). One that
 * nobody registered is taken to exist, with one container that runs (`docs/decisions.md` 6).
 */
export function taskDefinitionNamed(context: EcsContext, name: string): TaskDefinition {
  const { families, taskDefinitions } = context.state;
  const short = name.split('task-definition/').at(-1) ?? name;
  const [, family = short, given] = /^(.*?)(?::(\d+))?$/s.exec(short) ?? [];
  // A family has no colon, but a dynamic reference that is not resolved stands for any name.
  if (family.includes(':') && !isUnresolved(family)) {
    throw new EcsException('ClientException', 'Unable to describe task definition.');
  }
  const revision = Number(given ?? newestActive(context, family) ?? (families[family] ?? 0) + 1);
  const known = taskDefinitions[arnOfRevision(context, family, revision)];
  if (known !== undefined && !known.assumed) return known;
  // A revision of a family we know that is not there any more was deregistered and forgotten.
  if (known === undefined && revision <= (families[family] ?? 0)) {
    throw new EcsException('ClientException', 'TaskDefinition is inactive');
  }
  append(context.record, {
    type: 'assumption',
    atMs: context.nowMs,
    text: `task definition ${short} exists, with one container that runs (it lies outside the template)`,
  });
  const containerDefinitions = [{ name: family, image: family }];
  return known ?? addRevision(context, family, { containerDefinitions }, true, revision);
}

export function newestActive(
  context: Pick<EcsContext, 'state' | 'place'>,
  family: string,
): number | undefined {
  const { families, taskDefinitions } = context.state;
  for (let revision = families[family] ?? 0; revision > 0; revision -= 1) {
    const found = taskDefinitions[arnOfRevision(context, family, revision)];
    if (found?.status === 'ACTIVE') return revision;
  }
  return undefined;
}

function addRevision(
  context: EcsContext,
  family: string,
  request: JsonObject,
  assumed: boolean,
  revision = (context.state.families[family] ?? 0) + 1,
): TaskDefinition {
  const { state } = context;
  const [cpu, memory] = [text(request['cpu']), text(request['memory'])];
  const definition: TaskDefinition = {
    arn: arnOfRevision(context, family, revision),
    family,
    revision,
    status: 'ACTIVE',
    registeredAtMs: context.nowMs,
    deregisteredAtMs: null,
    networkMode: networkModeOf(request),
    ...(cpu === undefined ? {} : { cpu }),
    ...(memory === undefined ? {} : { memory }),
    platform: platformOf(request),
    unread: unreadOf(request, TASK_FIELDS),
    containerDefinitions: list(request['containerDefinitions']).map(containerOf),
    assumed,
    request,
  };
  if (!assumed) state.families[family] = revision;
  state.taskDefinitions[definition.arn] = definition;
  return definition;
}

export function arnOfRevision(
  { place }: Pick<EcsContext, 'place'>,
  family: string,
  revision: number,
): TaskDefinitionArn {
  return arnOf('ecs', place, `task-definition/${family}:${revision}`) as TaskDefinitionArn;
}

export function networkModeOf(request: JsonObject): NetworkMode {
  const mode = request['networkMode'];
  if (mode === 'awsvpc' || mode === 'host' || mode === 'none' || mode === 'bridge') return mode;
  return textList(request['requiresCompatibilities']).includes('FARGATE') ? 'awsvpc' : 'bridge';
}

/** X86_64 and Linux unless the task definition says otherwise. */
function platformOf(request: JsonObject): Platform {
  const platform = request['runtimePlatform'];
  if (!isObject(platform)) return 'linux/amd64';
  const family = text(platform['operatingSystemFamily']) ?? 'LINUX';
  if (family.startsWith('WINDOWS')) return 'windows/amd64';
  return platform['cpuArchitecture'] === 'ARM64' ? 'linux/arm64' : 'linux/amd64';
}

/** Fields that are read, or that change nothing of what runs. */
const TASK_FIELDS = new Set([
  ...['family', 'containerDefinitions', 'cpu', 'memory', 'networkMode', 'runtimePlatform'],
  ...['requiresCompatibilities', 'executionRoleArn', 'taskRoleArn', 'tags', 'clientToken'],
  ...['placementConstraints', 'enableFaultInjection'],
]);
const CONTAINER_FIELDS = new Set([
  ...['name', 'image', 'essential', 'entryPoint', 'command', 'environment', 'secrets', 'user'],
  ...['workingDirectory', 'cpu', 'memory', 'memoryReservation', 'portMappings', 'dependsOn'],
  ...['healthCheck', 'startTimeout', 'stopTimeout', 'dockerLabels', 'logConfiguration'],
  ...['versionConsistency', 'restartPolicy'],
]);

function unreadOf(request: JsonObject, known: ReadonlySet<string>): readonly string[] {
  return Object.keys(request).filter((key) => !known.has(key) && isSet(request[key]));
}

/** An empty list, mapping or text and a `false` ask for nothing. */
function isSet(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false && value !== '';
}

function containerOf(request: JsonObject): ContainerDefinition {
  return {
    name: text(request['name']) ?? '',
    image: text(request['image']) ?? '',
    essential: request['essential'] !== false, // 6.7
    entryPoint: textList(request['entryPoint']),
    command: textList(request['command']),
    environment: list(request['environment']).map(({ name, value }) => ({
      name: text(name) ?? '',
      value: text(value) ?? '',
    })),
    secrets: list(request['secrets']).map(({ name, valueFrom }) => ({
      name: text(name) ?? '',
      valueFrom: text(valueFrom) ?? '',
    })),
    ...texts(request),
    ...numbers(request),
    portMappings: portMappingsOf(request),
    dependsOn: list(request['dependsOn']).map(dependencyOf),
    ...healthCheckOf(request['healthCheck']),
    ...restartPolicyOf(request['restartPolicy']),
    unread: [...unreadOf(request, CONTAINER_FIELDS), ...unreadPorts(request)],
  };
}

/** 6.70 to 6.73; an image's own check is not looked at (6.32). */
function healthCheckOf(given: JsonValue | undefined): Pick<ContainerDefinition, 'healthCheck'> {
  if (!isObject(given)) return {};
  const seconds = (field: string, otherwise: number) =>
    (number(given[field]) ?? otherwise) * SECOND_MS;
  const healthCheck = {
    command: textList(given['command']),
    intervalMs: seconds('interval', 30),
    timeoutMs: seconds('timeout', 5),
    retries: number(given['retries']) ?? 3,
    startPeriodMs: seconds('startPeriod', 0),
  };
  return healthCheck.command[0] === 'NONE' ? {} : { healthCheck };
}

/** 6.40. */
function restartPolicyOf(given: JsonValue | undefined): Pick<ContainerDefinition, 'restartPolicy'> {
  if (!isObject(given) || given['enabled'] !== true) return {};
  const { ignoredExitCodes, restartAttemptPeriod } = given;
  const codes = Array.isArray(ignoredExitCodes) ? ignoredExitCodes : [];
  return {
    restartPolicy: {
      ignoredExitCodes: codes.map(Number),
      attemptPeriodMs: (number(restartAttemptPeriod) ?? 300) * SECOND_MS,
    },
  };
}

/** A mapping has a port, or a range of them, which nobody reads. */
function portMappingsOf(request: JsonObject): readonly PortMapping[] {
  return list(request['portMappings']).flatMap(({ containerPort, hostPort, protocol }) =>
    containerPort === undefined
      ? []
      : [
          {
            containerPort: Number(containerPort),
            ...(typeof hostPort === 'number' ? { hostPort } : {}),
            protocol: protocol === 'udp' ? 'udp' : 'tcp',
          },
        ],
  );
}

function unreadPorts(request: JsonObject): readonly string[] {
  const hasRange = list(request['portMappings']).some(({ containerPortRange: range }) =>
    isSet(range),
  );
  return hasRange ? ['containerPortRange'] : [];
}

function texts(request: JsonObject): Pick<ContainerDefinition, 'user' | 'workingDirectory'> {
  const [user, workingDirectory] = [text(request['user']), text(request['workingDirectory'])];
  return {
    ...(user === undefined || user === '' ? {} : { user }),
    ...(workingDirectory === undefined || workingDirectory === '' ? {} : { workingDirectory }),
  };
}

function numbers({ cpu, memory, memoryReservation, startTimeout, stopTimeout }: JsonObject) {
  return {
    ...(typeof cpu === 'number' ? { cpuUnits: cpu } : {}),
    ...(typeof memory === 'number' ? { memoryMebibytes: memory } : {}),
    ...(typeof memoryReservation === 'number'
      ? { memoryReservationMebibytes: memoryReservation }
      : {}),
    ...(typeof startTimeout === 'number' ? { startTimeoutSeconds: startTimeout } : {}),
    ...(typeof stopTimeout === 'number' ? { stopTimeoutSeconds: stopTimeout } : {}),
  };
}

function dependencyOf({ containerName, condition }: JsonObject): ContainerDependency {
  const known = condition === 'COMPLETE' || condition === 'SUCCESS' || condition === 'HEALTHY';
  return { containerName: text(containerName) ?? '', condition: known ? condition : 'START' };
}
