import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { openContainers } from '../../src/app/containers.ts';
import { createInbox } from '../../src/app/inbox.ts';
import { runUntil } from '../../src/app/loop.ts';
import { dockerEnginePart, partsOf, type Setting } from '../../src/app/parts.ts';
import { createRunner, type Ended } from '../../src/app/run-operation.ts';
import type { Session } from '../../src/app/session.ts';
import { valueSource } from '../../src/app/values.ts';
import {
  addMs,
  type EpochMs,
  type JsonObject,
  parseDurationMs,
  present,
  systemClock,
} from '../../src/base/index.ts';
import { createRecord, type RecordedEvent } from '../../src/events/index.ts';
import { type ImageBehaviour, parseScenario } from '../../src/scenario/index.ts';
import { createDockerWorld, type World } from '../../src/world/index.ts';
import type { Archive } from '../support/archive.ts';
import { callStep, endingText, type Step, serviceText, shortener } from '../support/story.ts';
import { createSession, deployText, deskOf, REGISTRY } from '../support/world.ts';
import { buildImage, removeImage } from './images.ts';

/** What a story comes to, whoever runs its tasks and however long that takes. */
export interface Telling {
  /** Verdict and status, the reason, the findings. */
  readonly ending: readonly string[];
  /** What the services said, each sentence once. */
  readonly said: readonly string[];
  /** How the service stands after the steps; empty without any. */
  readonly service: string;
}

const NOTHING_KNOWN = { hidden: {}, secrets: {} };
const STEP_WAIT_MAX_MS = 4_000; // of real time: what happens in a story's wait happens early in it
const LAST_WAIT_MS = 60_000;

/** What the page of a story tells. */
export function toldBy({ files }: Archive): Telling {
  const sections = new Map(files);
  const timelines = files.filter(([name]) => name.startsWith('timeline of '));
  return {
    ending: endingOf(sections.get('ending') ?? ''),
    said: sayings(timelines.flatMap(([, text]) => text.split('\n'))),
    service: sections.get('service') ?? '',
  };
}

/** Plays a story with containers, and waits at its end until it has come to what is expected. */
export async function playInContainers(story: Archive, expected: Telling): Promise<Telling> {
  const files = new Map(story.files);
  const world = createDockerWorld(randomUUID(), Date.now() as EpochMs);
  const session = createSession(world);
  const images = await imagesOf(story, world);
  try {
    const template = present(files.get('template.yml'), 'a story deploys');
    const options = parse(files.get('options.yml') ?? '{}') as JsonObject;
    const ended = await deployText(session, template, { ...options, images: images.names });
    const shorten = shortener();
    const begun = spoken(world);
    for (const event of world.record.entries)
      if (event.type === 'ecs-service') shorten(event.message);
    const ending = endingOf(endingText(ended, shorten));
    const steps = parse(files.get('steps.yml') ?? '[]') as Step[];
    const service = () => (steps.length === 0 ? '' : serviceText(session, shorten));
    const said = () =>
      [...new Set([...begun, ...spoken(world)])].sort((a, b) => a.localeCompare(b));
    await takeSteps(session, steps, () => {
      const all = said();
      return service() === expected.service && expected.said.every((one) => all.includes(one));
    });
    const telling = { ending, said: said(), service: service() };
    await remove(session, ended);
    return telling;
  } finally {
    await images.remove();
  }
}

async function takeSteps(session: Session, steps: readonly Step[], isDone: () => boolean) {
  const { world } = session;
  if (steps.length === 0) return;
  world.record = createRecord();
  const inbox = createInbox();
  const values = valueSource(world, NOTHING_KNOWN);
  const containers = await openContainers(deskOf(session), session, inbox, values, {});
  const stabilizing = {
    limitMs: 0,
    isSet: false,
    giveUpOn: 'nothing',
    lookEverySeconds: 1,
  } as const;
  const setting: Setting = { registry: REGISTRY, stabilizing, containers };
  const go = async (ms: number, until: () => boolean) => {
    const end = addMs(Date.now() as EpochMs, ms);
    const alarm = { step: () => undefined, nextDueMs: () => end, pendingOutside: () => true };
    const parts = [...partsOf(world, setting), dockerEnginePart(containers), alarm];
    await runUntil((now) => now.nowMs >= end || until(), world, {
      ...{ parts, clock: systemClock, inbox },
    });
  };
  try {
    for (const step of steps) {
      if ('wait' in step) {
        const ms = present(parseDurationMs(step.wait), 'a wait is a duration');
        await go(Math.min(ms, STEP_WAIT_MAX_MS), () => false);
      } else callStep(world, step);
    }
    await go(LAST_WAIT_MS, isDone);
  } finally {
    containers.driver.close();
  }
}

async function remove(session: Session, { stack }: Ended): Promise<void> {
  if (stack.status !== 'CREATE_COMPLETE') return; // it was rolled back
  const runner = createRunner(deskOf(session), {}, NOTHING_KNOWN, {});
  try {
    await runner.remove(session, stack, 1, []);
  } finally {
    await runner.close();
  }
}

/** Images that behave as the story's scenario says, under names of their own. */
async function imagesOf({ files }: Archive, world: World) {
  const scenario = parseScenario(
    new Map(files).get('scenario.yml') ?? 'images: {}',
    'scenario.yml',
  );
  const text = files.map(([, section]) => section).join('\n');
  const references = [...text.matchAll(/[Ii]mage: '?([a-z]+:\d+)/g)].map(([, one = '']) => one);
  const names: { [from: string]: string } = {};
  const gone = new AbortController();
  const built: Promise<string | undefined>[] = [];
  const run = randomUUID().slice(0, 8);
  for (const reference of new Set(references)) {
    const behaviour = scenario.images[reference];
    const refusals = behaviour?.pull?.filter((answer) => answer !== 'ok').length ?? 0;
    const isThere = behaviour?.pull?.includes('ok') !== false;
    const name = `${refusals > 0 ? `${registry()}/` : ''}story-${run}/${reference}`;
    names[reference] = name;
    const make = () => built.push(makeImage(name, behaviour));
    if (refusals === 0) make();
    else if (isThere) void afterFailures(world, refusals, gone.signal).then(make, () => undefined);
  }
  await Promise.all(built);
  return {
    names,
    async remove() {
      gone.abort();
      for (const name of await Promise.all(built)) if (name !== undefined) await removeImage(name);
    },
  };
}

async function makeImage(name: string, behaviour: ImageBehaviour | undefined): Promise<string> {
  await buildImage(name, {}, { cmd: ['/bin/sh', '-c', programOf(behaviour)] });
  return name;
}

function programOf(behaviour: ImageBehaviour | undefined): string {
  const output = (behaviour?.output ?? []).map((line) => `echo '${line}'; `).join('');
  const { exits } = behaviour ?? {};
  if (exits !== undefined) return `${output}sleep ${exits.afterMs / 1000}; exit ${exits.code}`;
  return `${output}trap 'exit 0' TERM; while :; do sleep 0.1; done`;
}

/** Resolves once so many tasks of the world have failed. */
async function afterFailures(world: World, count: number, gone: AbortSignal): Promise<void> {
  const isFailure = ({ type }: RecordedEvent) => type === 'ecs-task-stopped';
  while (world.record.entries.filter(isFailure).length < count)
    await sleep(50, undefined, { signal: gone });
}

function registry(): string {
  return present(process.env['OVERCAST_TEST_REGISTRY'], 'OVERCAST_TEST_REGISTRY names a registry');
}

/** Verdict and status, the reason, the codes of findings: without what takes time and names images. */
function endingOf(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('assumed: '))
    .map((line) =>
      alike(line.replace(/ {2}after PT\S+$/, '')).replace(/^([A-Z-]+ {2}\S+) .*/, '$1'),
    );
}

/** What the services of a world said in the record that it holds. */
function spoken({ record }: World): readonly string[] {
  return sayings(
    record.entries.map((event) => (event.type === 'ecs-service' ? event.message : '')),
  );
}

/** Sentences of services, each once, without ids and without what only one engine would say. */
function sayings(lines: readonly string[]): readonly string[] {
  const said = lines.flatMap(
    (line) => /^(?:[\d:.]+ {2})?(\(service \w+\) .*)/.exec(line)?.[1] ?? [],
  );
  const whole = said.filter((line) => !line.includes('times by now'));
  return [...new Set(whole.map(alike))].sort((a, b) => a.localeCompare(b));
}

function alike(text: string): string {
  return (
    text
      // How many at once is a matter of which container happens to be quicker.
      .replace(/has (started|stopped) \d+ (running )?tasks: .*/, 'has $1 tasks')
      .replace(/ecs-svc\/\d+/g, 'ecs-svc/#')
      .replace(/CannotPullContainerError: .*/, 'CannotPullContainerError')
      .replace(/endpoint .* failed: port/, 'endpoint … failed: port')
  );
}
