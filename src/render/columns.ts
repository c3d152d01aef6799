import { isObject, type JsonObject } from '../base/index.ts';
import { lastPart } from './text.ts';

/** One column of a listing. */
export interface Column {
  readonly title: string;
  readonly value: (item: JsonObject) => string;
  readonly isStatus?: boolean; // coloured by what it says
  readonly alignRight?: boolean;
}

/** What a table shows of the items of each reading command; `--output json` has all fields. */
export const COLUMNS = {
  stacks: [
    field('StackName'),
    status('StackStatus'),
    field('CreationTime'),
    field('LastUpdatedTime'),
    field('StackStatusReason'),
  ],
  events: [
    field('Timestamp'),
    status('ResourceStatus'),
    field('LogicalResourceId'),
    field('ResourceType'),
    field('ResourceStatusReason'),
  ],
  resources: [
    field('LogicalResourceId'),
    status('ResourceStatus'),
    field('ResourceType'),
    field('PhysicalResourceId'),
    field('ResourceStatusReason'),
  ],
  outputs: [field('OutputKey'), field('OutputValue'), field('ExportName'), field('Description')],
  services: [
    field('serviceName'),
    status('status'),
    count('desiredCount'),
    count('runningCount'),
    count('pendingCount'),
    { title: 'rolloutState', value: (item) => primary(item, 'rolloutState'), isStatus: true },
    { title: 'failedTasks', value: (item) => primary(item, 'failedTasks'), alignRight: true },
    { title: 'taskDefinition', value: (item) => lastPart(textOf(item, 'taskDefinition')) },
  ],
  tasks: [
    { title: 'task', value: (item) => lastPart(textOf(item, 'taskArn')) },
    status('lastStatus'),
    field('healthStatus'),
    { title: 'taskDefinition', value: (item) => lastPart(textOf(item, 'taskDefinitionArn')) },
    field('startedAt'),
    field('stoppedAt'),
    field('stopCode'),
    { title: 'exitCodes', value: exitCodes },
    field('stoppedReason'),
  ],
} as const satisfies Record<string, readonly Column[]>;

function field(name: string): Column {
  return { title: name, value: (item) => textOf(item, name) };
}

function status(name: string): Column {
  return { ...field(name), isStatus: true };
}

function count(name: string): Column {
  return { ...field(name), alignRight: true };
}

function textOf(item: JsonObject, name: string): string {
  const value = item[name];
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A field of the service's PRIMARY deployment. */
function primary({ deployments }: JsonObject, name: string): string {
  const found = listOf(deployments).find((deployment) => deployment['status'] === 'PRIMARY');
  return found === undefined ? '' : textOf(found, name);
}

/** `app 1, proxy 0` of the containers that have ended. */
function exitCodes({ containers }: JsonObject): string {
  return listOf(containers)
    .filter(({ exitCode }) => typeof exitCode === 'number')
    .map((container) => `${textOf(container, 'name')} ${textOf(container, 'exitCode')}`)
    .join(', ');
}

function listOf(value: JsonObject[string] | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((one) => isObject(one)) : [];
}
