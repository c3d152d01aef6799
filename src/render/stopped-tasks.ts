import { withoutNumbers } from '../events/index.ts';
import type { TaskResult } from '../result/index.ts';
import type { Page } from './page.ts';
import { block, plural, shortTask } from './text.ts';

const BRIEF_GROUPS = 3;
const BRIEF_LOG_LINES = 5;

/** Stopped tasks by cause, `3 tasks alike: …`, each with the last output of its newest task. */
export function stoppedTaskLines(tasks: readonly TaskResult[], page: Page): string[] {
  const groups = groupsOf(tasks.filter(({ lastStatus }) => lastStatus === 'STOPPED'));
  const shown = page.verbose ? groups : groups.slice(0, BRIEF_GROUPS);
  const left = groups.length - shown.length;
  return [
    ...shown.flatMap((group) => groupLines(group, page)),
    ...(left > 0 ? [`  and tasks of ${plural(left, 'other cause')} (--verbose)`] : []),
  ];
}

/** Tasks with one cause, newest first. */
type Group = readonly [TaskResult, ...TaskResult[]];

/** Groups in the order of their newest task, newest first. */
function groupsOf(stopped: readonly TaskResult[]): Group[] {
  const newestFirst = stopped.toSorted((a, b) =>
    (b.stoppedAt ?? '').localeCompare(a.stoppedAt ?? ''),
  );
  const groups = new Map<string, [TaskResult, ...TaskResult[]]>();
  for (const task of newestFirst) {
    const key = causeOf(task);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [task]);
    else group.push(task);
  }
  return [...groups.values()];
}

function causeOf(task: TaskResult): string {
  const exits = task.containers.map(({ name, exitCode }) => [name, exitCode]);
  const reason = withoutNumbers(task.stoppedReason ?? '');
  return JSON.stringify([task.deployment, task.stopCode, exits, reason]);
}

function groupLines(group: Group, page: Page): string[] {
  const [newest] = group;
  const count = newest.alike;
  const who = count === 1 ? `task ${shortTask(newest.taskArn)} stopped` : `${count} tasks alike`;
  const exits = newest.containers.flatMap(({ name, exitCode }) =>
    exitCode === null ? [] : [`${name} exit code ${exitCode}`],
  );
  const cause = [newest.stopCode ?? 'stopped', ...exits].join(', ');
  return [
    ...block(`${who}: ${cause}`, 2, page.width).map(page.paint.warn),
    ...reasonLines(newest, page),
    ...logLines(group, page),
  ];
}

function reasonLines(task: TaskResult, page: Page): string[] {
  const reasons = [
    task.stoppedReason,
    ...task.containers.map(({ name, reason }) => (reason === null ? null : `${name}: ${reason}`)),
  ];
  return reasons.flatMap((reason) => {
    if (reason === null || reason === '') return [];
    if (!page.verbose && [...page.told].some((told) => told.includes(reason))) return [];
    page.told.add(reason);
    return block(reason, 4, page.width);
  });
}

/** The end of what the newest task that printed anything has printed. */
function logLines(group: Group, page: Page): string[] {
  const printed = group.find(({ containers }) => containers.some((one) => one.logTail.length > 0));
  return (printed?.containers ?? []).flatMap(({ name, logTail }) => {
    const shown = page.verbose ? logTail : logTail.slice(-BRIEF_LOG_LINES);
    return shown.flatMap((line) =>
      block(line, 0, undefined).map((text) => `    ${page.paint.faint(`${name} |`)} ${text}`),
    );
  });
}
