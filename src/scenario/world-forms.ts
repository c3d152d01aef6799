import {
  durationMs,
  type Form,
  invalid,
  listOf,
  mapOf,
  oneOf,
  shape,
  text,
  textLike,
  wholeNumber,
} from './forms.ts';

const count = wholeNumber(0);
const names = listOf(text);

const secret: Form<void> = (spot) => {
  if (typeof spot.value !== 'string') mapOf(text)(spot);
};

/** Earlier values of a parameter: a list, version 1 first, or a mapping from version to value. */
const versions: Form<void> = (spot) => {
  if (Array.isArray(spot.value)) return void names(spot);
  mapOf(text)(spot);
  if (typeof spot.value !== 'object' || spot.value === null) return;
  const wrong = Object.keys(spot.value).find((key) => !/^[1-9]\d*$/.test(key));
  if (wrong !== undefined) {
    throw invalid(spot, `has the version "${wrong}"`, 'versions are numbers from 1 on');
  }
};

const ssmParameter: Form<void> = (spot) => {
  if (typeof spot.value === 'string') return;
  if (typeof spot.value !== 'object' || spot.value === null) return void text(spot);
  const type = oneOf('String', 'StringList', 'SecureString');
  shape({ type, value: text, versions }, ['value'])(spot);
};

const instances = shape(
  {
    cluster: text,
    count,
    cpu: count, // CPU units
    memory: count, // MiB
    group: text,
    registers: text,
    volume_plugins: names,
  },
  ['cluster'],
);

const runningTasks = shape({ cluster: text, task_definition: text, count, started_by: text }, [
  'cluster',
  'task_definition',
]);

const alarmState = shape(
  {
    during: oneOf('before', 'create', 'update'),
    after: durationMs,
    state: oneOf('OK', 'ALARM', 'INSUFFICIENT_DATA'),
  },
  ['state'],
);

/** What each key of `world` may hold. Values stay as they were written. */
export const WORLD_FORMS: { readonly [key: string]: Form<unknown> } = {
  subnets: mapOf(oneOf('public', 'nat', 'isolated')),
  vpc_cidr: textLike(/^(\d{1,3}\.){3}\d{1,3}\/\d{1,2}$/, 'a range of addresses', '10.20.0.0/16'),
  instances: listOf(instances),
  running_tasks: listOf(runningTasks),
  log_groups: names,
  secrets: mapOf(secret),
  ssm: mapOf(ssmParameter),
  buckets: names,
  not_empty: names,
  service_linked_roles: names,
  importers: mapOf(names),
  functions: mapOf(shape({ responds: oneOf('success', 'failed', 'never') }, ['responds'])),
  signals: mapOf(count),
  alarms: mapOf(listOf(alarmState)),
  create_times: mapOf(durationMs),
  artifacts: mapOf(text),
};

/** The keys of `world` that this version simulates. */
export const FOLLOWED_IN_WORLD: readonly string[] = [
  'instances',
  'running_tasks',
  'ssm',
  'alarms',
  'create_times',
];
