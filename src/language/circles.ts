import { isObject, type JsonValue, type Path } from '../base/index.ts';
import type { Template } from '../template/index.ts';
import type { CompiledResource } from './compile-resources.ts';
import { refusal } from './refusal.ts';
import { pathOf, type Trail } from './trail.ts';

/**
 * Refuses resources that wait for each other or for themselves (T31), naming all of them in
 * template order; the hint tells one circle, reference by reference.
 */
export function refuseCircles(template: Template, resources: readonly CompiledResource[]): void {
  const byName = new Map(resources.map((resource) => [resource.model.logicalId, resource]));
  const inCircle = circularNames(byName);
  const first = resources.find(({ model }) => inCircle.has(model.logicalId));
  if (first === undefined) return;
  const names = resources.map(({ model }) => model.logicalId).filter((name) => inCircle.has(name));
  const circle = shortestCircle(first, byName);
  const message = `Circular dependency between resources: [${names.join(', ')}]`;
  const told = circle.map(({ from, to, at }) => `${from} needs ${to} (${describe(template, at)})`);
  throw refusal(
    template,
    message,
    circle[0]?.at,
    `${told.join(', ')}: break one of these references`,
  );
}

type Resources = ReadonlyMap<string, CompiledResource>;

function edgesOf(resource: CompiledResource): ReadonlyMap<string, Trail> {
  const { ownReference, dependencies, model } = resource;
  if (ownReference === undefined) return dependencies;
  return new Map([...dependencies, [model.logicalId, ownReference]]);
}

/** Names of resources that can reach themselves: the strongly connected parts of the graph. */
function circularNames(resources: Resources): ReadonlySet<string> {
  const state: Search = { index: new Map(), low: new Map(), stack: [], found: new Set() };
  for (const name of resources.keys()) {
    if (!state.index.has(name)) search(name, resources, state);
  }
  return state.found;
}

/** Tarjan's algorithm with a stack of its own: chains of references may be long. */
interface Search {
  readonly index: Map<string, number>;
  readonly low: Map<string, number>;
  readonly stack: string[];
  readonly found: Set<string>;
}

function search(root: string, resources: Resources, state: Search): void {
  const onStack = new Set<string>();
  const work = [enter(root, resources, state, onStack)];
  for (let frame = work.at(-1); frame !== undefined; frame = work.at(-1)) {
    const next = frame.targets.next();
    if (next.done === true) {
      work.pop();
      leave(frame.name, resources, state, onStack);
      const parent = work.at(-1);
      if (parent !== undefined) lower(state, parent.name, state.low.get(frame.name));
    } else if (!state.index.has(next.value)) {
      work.push(enter(next.value, resources, state, onStack));
    } else if (onStack.has(next.value)) {
      lower(state, frame.name, state.index.get(next.value));
    }
  }
}

interface Frame {
  readonly name: string;
  readonly targets: Iterator<string, undefined>;
}

function enter(name: string, resources: Resources, state: Search, onStack: Set<string>): Frame {
  state.low.set(name, state.index.size);
  state.index.set(name, state.index.size);
  state.stack.push(name);
  onStack.add(name);
  const resource = resources.get(name);
  return { name, targets: (resource === undefined ? [] : [...edgesOf(resource).keys()]).values() };
}

function lower(state: Search, name: string, to: number | undefined): void {
  const low = state.low.get(name);
  if (to !== undefined && low !== undefined && to < low) state.low.set(name, to);
}

function leave(name: string, resources: Resources, state: Search, onStack: Set<string>): void {
  if (state.low.get(name) !== state.index.get(name)) return;
  const part = state.stack.splice(state.stack.lastIndexOf(name));
  for (const member of part) onStack.delete(member);
  const own = resources.get(name)?.ownReference !== undefined;
  if (part.length > 1 || own) for (const member of part) state.found.add(member);
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly at: Trail;
}

/** The shortest way from a resource back to itself, breadth first. */
function shortestCircle(start: CompiledResource, resources: Resources): readonly Edge[] {
  const goal = start.model.logicalId;
  const ways = new Map<string, readonly Edge[]>([[goal, []]]);
  const queue = [start];
  for (const resource of queue) {
    const from = resource.model.logicalId;
    const way = ways.get(from) ?? [];
    for (const [to, at] of edgesOf(resource)) {
      if (to === goal) return [...way, { from, to, at }];
      const next = resources.get(to);
      if (next === undefined || ways.has(to)) continue;
      ways.set(to, [...way, { from, to, at }]);
      queue.push(next);
    }
  }
  return [];
}

/** `DeploymentConfiguration.Alarms.AlarmNames[0]`, list items with their own name where they have one. */
function describe({ body }: Template, at: Trail): string {
  const path = pathOf(at).filter((step) => step !== 'Ref' && !String(step).startsWith('Fn::'));
  let value: JsonValue | undefined = body;
  let text = '';
  path.forEach((step, index) => {
    value = memberAt(value, step);
    if (index < 2 || (index === 2 && step === 'Properties')) return;
    if (typeof step === 'string') text += `${text === '' ? '' : '.'}${step}`;
    else text += `[${step}${nameOf(value)}]`;
  });
  return text;
}

function memberAt(value: JsonValue | undefined, step: Path[number]): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(step)];
  return isObject(value) ? value[step] : undefined;
}

function nameOf(value: JsonValue | undefined): string {
  const name = isObject(value) ? (value['Name'] ?? value['Key']) : undefined;
  return typeof name === 'string' ? ` ${name}` : '';
}
