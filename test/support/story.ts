import { parse } from 'yaml';
import { createInbox } from '../../src/app/inbox.ts';
import { runUntil } from '../../src/app/loop.ts';
import { ecsContext, partsOf } from '../../src/app/parts.ts';
import type { Ended } from '../../src/app/run-operation.ts';
import type { Session } from '../../src/app/session.ts';
import { type AlarmState, createEcs, noteAlarm } from '../../src/aws/ecs/index.ts';
import {
  addMs,
  type EpochMs,
  HOUR_MS,
  type JsonObject,
  parseDurationMs,
  present,
  type ServiceArn,
  virtualClock,
} from '../../src/base/index.ts';
import { createRecord, type RecordedEvent, type ServiceView } from '../../src/events/index.ts';
import { eventLine } from '../../src/render/index.ts';
import type { World } from '../../src/world/index.ts';
import type { Archive } from './archive.ts';
import { createSession, deployText, KEY, REGISTRY } from './world.ts';

/**
 * Plays a story: deploys its template under its scenario, takes its steps, and answers what the
 * sections that tell of it must hold.
 *
 * Sections read: `template.yml`, `scenario.yml`, `options.yml` (onFailure, timeoutInMinutes, timing) and
 * `steps.yml`: calls of the ECS API once the stack has ended. Sections told: `timeline of <stack>,
 * <LogicalId>…` (other resources only when they fail), `ending`, and of the steps `timeline of the
 * steps`, `service`, and `service deployments` and `task sets` where the page has them.
 */
export async function play(story: Archive): Promise<ReadonlyMap<string, string>> {
  const files = new Map(story.files);
  const session = createSession();
  const scenario = files.get('scenario.yml');
  const ended = await deployText(session, present(files.get('template.yml'), 'a story deploys'), {
    ...(scenario === undefined ? {} : { scenario }),
    ...(parse(files.get('options.yml') ?? '{}') as JsonObject),
  });
  const shorten = shortener();
  const told = new Map<string, string>();
  const timeline = [...files.keys()].find((name) => /^timeline of .+,/.test(name));
  const name = timeline ?? 'timeline of demo, Web';
  told.set(name, timelineText(session.world, name, shorten));
  told.set('ending', endingText(ended, shorten));
  const steps = files.get('steps.yml');
  if (steps === undefined) return told;
  const startedAtMs = session.world.nowMs;
  session.world.record = createRecord();
  for (const step of parse(steps) as Step[]) await take(session.world, step);
  told.set(
    'timeline of the steps',
    linesOf(session.world, startedAtMs, () => true, shorten),
  );
  told.set('service', serviceText(session, shorten));
  if (files.has('service deployments')) {
    told.set('service deployments', serviceDeploymentsText(session, shorten));
  }
  if (files.has('task sets')) told.set('task sets', taskSetsText(session, shorten));
  return told;
}

/** One call of the ECS API, or some time that passes. Services are called by their name. */
export type Step =
  | { readonly register: JsonObject }
  | { readonly update: JsonObject }
  | { readonly createTaskSet: JsonObject }
  | { readonly stopTaskOf: string }
  | { readonly alarm: { readonly name: string; readonly state: AlarmState } }
  | { readonly wait: string };

async function take(world: World, step: Step): Promise<void> {
  if (!('wait' in step)) return callStep(world, step);
  await passTime(world, present(parseDurationMs(step.wait), 'a wait is a duration'));
}

/** Calls the ECS API as a step says. */
export function callStep(world: World, step: Exclude<Step, { readonly wait: string }>): void {
  const ecs = createEcs(ecsContext(world, KEY));
  if ('alarm' in step) noteAlarm(ecsContext(world, KEY), step.alarm.name, step.alarm.state);
  else if ('register' in step) ecs.registerTaskDefinition(step.register);
  else if ('update' in step) {
    ecs.updateService({
      ...step.update,
      service: arnOf(ecs.listServices(), step.update['service']),
    });
  } else if ('createTaskSet' in step) {
    const service = arnOf(ecs.listServices(), step.createTaskSet['service']);
    ecs.api.createTaskSet({ ...step.createTaskSet, service });
  } else {
    const arn = arnOf(ecs.listServices(), step.stopTaskOf);
    const task = ecs.describeService(arn)?.tasks.find(({ lastStatus }) => lastStatus === 'RUNNING');
    ecs.stopTask({ task: present(task, 'the service has a task that runs').taskId });
  }
}

function arnOf(arns: readonly ServiceArn[], name: unknown): ServiceArn {
  return present(
    arns.find((arn) => arn.endsWith(`/${String(name)}`)),
    `service ${name} is there`,
  );
}

/** Lets a world go on for so long, with nothing under way but its services. */
export async function passTime(world: World, ms: number): Promise<void> {
  const until = addMs(world.nowMs, ms);
  const alarm = {
    step: () => undefined,
    nextDueMs: () => until,
    pendingOutside: () => false,
  };
  const stabilizing = {
    ...{ limitMs: 36 * HOUR_MS, isSet: false, giveUpOn: 'nothing' as const, lookEverySeconds: 5 },
  };
  const parts = [...partsOf(world, { registry: REGISTRY, stabilizing }), alarm];
  const outfit = { parts, clock: virtualClock, inbox: createInbox() };
  await runUntil((now) => now.nowMs >= until, world, outfit);
}

function timelineText(world: World, section: string, shorten: Shorten): string {
  const named = new Set(section.replace('timeline of ', '').split(/,\s*/));
  const isTold = (event: RecordedEvent) =>
    event.type !== 'stack-resource' ||
    named.has(event.logicalId) ||
    event.status.endsWith('_FAILED');
  const first = present(
    world.record.entries.find(({ type }) => type === 'stack'),
    'it began',
  );
  return linesOf(world, first.atMs, isTold, shorten);
}

function linesOf(
  { record }: World,
  sinceMs: EpochMs,
  isTold: (event: RecordedEvent) => boolean,
  shorten: Shorten,
): string {
  const lines = record.entries.filter(isTold).flatMap((event) => {
    const line = eventLine(event, { sinceMs, colour: 0 });
    return line === undefined ? [] : [`${shorten(line)}\n`];
  });
  return lines.join('');
}

export function endingText({ result, findings, assumptions }: Ended, shorten: Shorten): string {
  const { verdict, status, failure } = result;
  const lines = [
    `${verdict}  ${status}  after ${result.duration}`,
    ...(failure === null
      ? []
      : [`reason (${failure.source}) of ${failure.logicalId}: ${failure.reason}`]),
    ...findings.map(({ code, where, title }) => {
      const place = where === null ? '' : `  ${where.file}:${where.line}`;
      return `${code}${place}  ${title}`;
    }),
    ...assumptions.map((text) => `assumed: ${text}`),
  ];
  return lines.map((line) => `${shorten(line)}\n`).join('');
}

export function serviceText({ world }: Session, shorten: Shorten): string {
  const ecs = createEcs(ecsContext(world, KEY));
  const views = ecs.listServices().flatMap((arn) => ecs.describeService(arn) ?? []);
  return views.map((view) => shorten(viewText(view))).join('');
}

function viewText({ serviceName, desiredCount, runningCount, deployments }: ServiceView): string {
  const lines = deployments.map(
    ({ id, status, rolloutState, taskDefinition, runningCount: running, failedTasks }) =>
      `  ${id}  ${status}  ${rolloutState}  ${taskDefinition.split('/').at(-1)}  ${running} running  ${failedTasks} failed\n`,
  );
  return `${serviceName}: ${runningCount} of ${desiredCount} running\n${lines.join('')}`;
}

/** Service deployments, newest first: what became of each, and the traffic it moved. */
function serviceDeploymentsText({ world }: Session, shorten: Shorten): string {
  const ecs = createEcs(ecsContext(world, KEY));
  const lines = ecs.listServices().flatMap((service) => {
    const listed = ecs.api.listServiceDeployments({ service })[
      'serviceDeployments'
    ] as JsonObject[];
    const arns = listed.map(({ serviceDeploymentArn }) => String(serviceDeploymentArn));
    const { serviceDeployments } = ecs.api.describeServiceDeployments({
      serviceDeploymentArns: arns,
    });
    return (serviceDeployments as JsonObject[]).map((one) => deploymentLine(one));
  });
  return lines.map((line) => `${shorten(line)}\n`).join('');
}

function deploymentLine(one: JsonObject): string {
  const target = one['targetServiceRevision'] as JsonObject;
  const weight = target['requestedProductionTrafficWeight'];
  return [
    `ecs-svc/${String(target['arn']).split('/').at(-1)}`,
    one['status'],
    one['lifecycleStage'],
    weight === undefined ? undefined : `${weight} % of production traffic`,
    one['statusReason'],
  ]
    .filter((part) => part !== undefined)
    .join('  ');
}

function taskSetsText({ world }: Session, shorten: Shorten): string {
  const ecs = createEcs(ecsContext(world, KEY));
  const lines = ecs.listServices().flatMap((service) => {
    const { taskSets } = ecs.api.describeTaskSets({ service });
    return (taskSets as JsonObject[]).map((set) => {
      const { id, status, stabilityStatus, computedDesiredCount, runningCount } = set;
      const definition = String(set['taskDefinition']).split('/').at(-1);
      const counts = `${runningCount} of ${computedDesiredCount} running`;
      return [id, status, stabilityStatus, definition, counts].join('  ');
    });
  });
  return lines.map((line) => `${shorten(line)}\n`).join('');
}

export type Shorten = (text: string) => string;

/** Made-up ids become short ones, numbered in order of appearance, so that a page can be read. */
export function shortener(): Shorten {
  const known = new Map<string, string>();
  const counts = { task: 0, deployment: 0 };
  const short = (id: string, kind: keyof typeof counts, prefix: string) => {
    const found = known.get(id);
    if (found !== undefined) return found;
    counts[kind] += 1;
    known.set(id, `${prefix}${counts[kind]}`);
    return `${prefix}${counts[kind]}`;
  };
  return (text) =>
    text
      .replace(
        /\(task ([0-9a-f]{32})\)/g,
        (_, id: string) => `(task ${short(id.slice(0, 8), 'task', 't')})`,
      )
      .replace(
        /task ([0-9a-f]{8}) stopped/g,
        (_, id: string) => `task ${short(id, 'task', 't')} stopped`,
      )
      .replace(/ecs-svc\/(\d{19})/g, (_, id: string) => `ecs-svc/${short(id, 'deployment', '')}`)
      .replace(/RequestToken: ([0-9a-f]{4})[-0-9a-f]+/g, 'RequestToken: $1…');
}
