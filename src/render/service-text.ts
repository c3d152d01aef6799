import { withoutTaskIds } from '../events/index.ts';
import type { DeploymentResult, ServiceEventResult, ServiceResult } from '../result/index.ts';
import type { Page } from './page.ts';
import { statusColour } from './paint.ts';
import { stoppedTaskLines } from './stopped-tasks.ts';
import { alignedLines, block, type Cell, lastPart, plain } from './text.ts';

const BRIEF_EVENTS = 3;

/** One line of a service: `service Service (web)  0 of 1 running, 1 pending`. */
export function serviceLine(service: ServiceResult, page: Page): string {
  const { desiredCount, runningCount, pendingCount } = service;
  const name = lastPart(service.serviceArn);
  const isFull = runningCount >= desiredCount;
  const counts = `${runningCount} of ${desiredCount} running`;
  const pending = pendingCount === 0 ? '' : `, ${pendingCount} pending`;
  const id = service.logicalId;
  const title = id === null || id === name ? name : `${id} (${name})`;
  return [
    `service ${page.paint.strong(title)}`,
    `${(isFull ? page.paint.good : page.paint.warn)(counts)}${pending}`,
  ].join('  ');
}

/** Whether a service is more than a line: it is not full, or a deployment of it is not done. */
export function isTroubled(service: ServiceResult): boolean {
  return (
    service.runningCount < service.desiredCount ||
    service.deployments.length > 1 ||
    service.deployments.some(({ rolloutState }) => rolloutState !== 'COMPLETED')
  );
}

/** All that helps to see why a service did not come up. */
export function serviceLines(service: ServiceResult, page: Page): string[] {
  return [
    serviceLine(service, page),
    ...deploymentLines(service.deployments, page),
    ...eventLines(service.events, page),
    ...stoppedTaskLines(service.tasks, page),
    ...(service.tasksOmitted > 0 ? [`  and ${service.tasksOmitted} more tasks`] : []),
  ];
}

function deploymentLines(deployments: readonly DeploymentResult[], page: Page): string[] {
  if (deployments.length === 0) return [];
  const { faint } = page.paint;
  const headings = ['', 'status', 'rollout', 'desired', 'running', 'failed', 'deployment'];
  const [heading = '', ...rows] = alignedLines([
    headings.map((text, column) => ({ text, colour: faint, alignRight: isCount(column) })),
    ...deployments.map((deployment) => deploymentRow(deployment, page)),
  ]);
  const lines = rows.flatMap((row, index) => {
    const reason = deployments[index]?.rolloutStateReason ?? '';
    return reason === '' || isTold(reason, page) ? [row] : [row, ...block(reason, 2, page.width)];
  });
  return [heading, ...lines].map((line) => `  ${line}`);
}

function isCount(column: number): boolean {
  return column >= 3 && column <= 5;
}

function deploymentRow(deployment: DeploymentResult, { paint }: Page): Cell[] {
  const rollout = deployment.rolloutState ?? '-';
  const failed = deployment.failedTasks;
  return [
    { text: lastPart(deployment.taskDefinition) },
    { text: deployment.status },
    { text: rollout, colour: statusColour(rollout, paint) },
    { text: String(deployment.desiredCount), alignRight: true },
    { text: String(deployment.runningCount), alignRight: true },
    { text: String(failed), alignRight: true, colour: failed > 0 ? paint.bad : undefined },
    { text: deployment.id, colour: paint.faint },
  ];
}

interface Said {
  readonly message: string;
  readonly at: string; // when it was last said
  readonly count: number;
}

/** The most telling events; with `--verbose` all of them, as they came. */
function eventLines(events: readonly ServiceEventResult[], page: Page): string[] {
  const shown = page.verbose ? events : tellingEvents(events, page);
  return shown.flatMap(({ message, at, count }) => {
    page.told.add(message);
    const times = count === 1 ? '' : ` (${count} times)`;
    const time = `${page.elapsed(at)}  `;
    return block(`${time}${message}${times}`, 2, page.width, time.length);
  });
}

/** The newest failure-shaped ones, or where nothing failed (a service that holds) routine ones. */
function tellingEvents(events: readonly ServiceEventResult[], page: Page): Said[] {
  const failures = events.filter(({ shape }) => shape === 'failure');
  return folded(failures.length > 0 ? failures : events)
    .filter(({ message, count }) => count > 1 || !isTold(message, page))
    .slice(-BRIEF_EVENTS);
}

function folded(events: readonly ServiceEventResult[]): Said[] {
  const said = new Map<string, Said>();
  for (const { message, at, count } of events) {
    const key = withoutTaskIds(message);
    const earlier = said.get(key)?.count ?? 0;
    said.delete(key); // so that it moves to the end, where the newest are
    said.set(key, { message, at, count: earlier + count });
  }
  return [...said.values()];
}

/** Whether the page holds the text already, alone or as part of a sentence. */
function isTold(text: string, page: Page): boolean {
  return [...page.told].some((told) => told.includes(plain(text)));
}
