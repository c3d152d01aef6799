import type { TaskInFlight } from './state.ts';
import { definitionsOf, type SimulatedTurn } from './turn.ts';

/** Ports of a cluster's one host; nothing is taken when one of them is held by another task. */
export function takeHostPorts(turn: SimulatedTurn, task: TaskInFlight) {
  if (!task.sharesHostPorts) return undefined;
  const held = turn.state.hostPorts[task.host] ?? {};
  turn.state.hostPorts[task.host] = held;
  const asked = definitionsOf(turn, task).flatMap((container) =>
    container.portMappings.map(({ hostPort, containerPort, protocol }) => {
      const port = task.networkMode === 'host' ? containerPort : (hostPort ?? 0);
      return { container: container.name, port, key: `${port}/${protocol}` };
    }),
  );
  const fixed = asked.filter(({ port }) => port !== 0);
  const taken = fixed.find(({ key }) => held[key] !== undefined);
  if (taken === undefined) for (const { key } of fixed) held[key] = task.id;
  return taken;
}

export function releaseHostPorts({ state }: SimulatedTurn, task: TaskInFlight): void {
  if (!task.sharesHostPorts) return;
  const held = state.hostPorts[task.host] ?? {};
  for (const [key, holder] of Object.entries(held)) if (holder === task.id) delete held[key];
}
