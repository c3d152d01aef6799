import type { MemberOf, PlacementConstraint } from './constraints.ts';
import { attributeOf, type ContainerInstance, PORTS_MAX, tasksOf } from './instance.ts';
import { isMember } from './is-member.ts';
import type { RequiredAttribute, TaskRequirements } from './requirements.ts';

/** Why an instance cannot take a task, with the amounts that a reader needs in order to act. */
export type Shortfall =
  | { readonly type: 'agent' }
  | { readonly type: 'attribute'; readonly attribute: RequiredAttribute }
  | { readonly type: 'member-of'; readonly expression: string }
  | { readonly type: 'distinct-instance' }
  | { readonly type: 'cpu' | 'memory'; readonly amounts: Amounts } // CPU units, MiB
  | { readonly type: 'port-taken'; readonly port: string } // 8080/tcp
  | { readonly type: 'port-limit' }
  | { readonly type: 'enis' };

export interface Amounts {
  readonly needed: number;
  readonly remaining: number;
  readonly registered: number;
}

/**
 * The order in which an instance is asked, and so the order of closeness: of two instances that
 * cannot take a task, that one is closer which fails a later check. What an instance is comes before
 * what it has left: a reader whose matching instance is full should hear of that one, not of an empty
 * one that the constraints rule out. How AWS orders them is not documented.
 */
export const CHECK_ORDER = [
  'agent',
  'attribute',
  'member-of',
  'distinct-instance',
  'cpu',
  'memory',
  'port-taken',
  'port-limit',
  'enis',
] as const satisfies readonly Shortfall['type'][];

/** Whose task it is: the constraints of its service, and its task group. */
export interface Asker {
  readonly constraints: readonly PlacementConstraint[];
  readonly group: string;
}

/** The first check that an instance fails; undefined: the task can be placed on it. */
export function shortfallOf(
  instance: ContainerInstance,
  requirements: TaskRequirements,
  asker: Asker,
): Shortfall | undefined {
  if (!instance.agentConnected) return { type: 'agent' };
  return unfit(instance, requirements, asker) ?? tooFull(instance, requirements);
}

/** What more room would not change: attributes, then constraints. */
export function unfit(
  instance: ContainerInstance,
  requirements: TaskRequirements,
  { constraints, group }: Asker,
): Shortfall | undefined {
  const attribute = requirements.attributes.find((required) => !has(instance, required));
  if (attribute !== undefined) return { type: 'attribute', attribute };
  const outside =
    firstOutside(instance, requirements.constraints) ?? firstOutside(instance, constraints);
  if (outside !== undefined) return { type: 'member-of', expression: outside.text };
  const distinct = constraints.some(({ type }) => type === 'distinctInstance');
  return distinct && tasksOf(instance, group) > 0 ? { type: 'distinct-instance' } : undefined;
}

/** The first expression whose group an instance is not in. */
function firstOutside(
  instance: ContainerInstance,
  constraints: readonly PlacementConstraint[],
): MemberOf | undefined {
  for (const constraint of constraints) {
    if (constraint.type !== 'memberOf') continue;
    if (!isMember(instance, constraint.expression)) return constraint;
  }
  return undefined;
}

function has(instance: ContainerInstance, { name, value }: RequiredAttribute): boolean {
  const found = attributeOf(instance, name);
  return found !== undefined && (value === undefined || found === value);
}

function tooFull(
  { registered, remaining, usedPorts }: ContainerInstance,
  { cpuUnits, memoryMebibytes, ports, enis }: TaskRequirements,
): Shortfall | undefined {
  if (cpuUnits > remaining.cpuUnits) {
    const amounts = amountsOf(cpuUnits, remaining.cpuUnits, registered.cpuUnits);
    return { type: 'cpu', amounts };
  }
  if (memoryMebibytes > remaining.memoryMebibytes) {
    const { memoryMebibytes: left } = remaining;
    return {
      type: 'memory',
      amounts: amountsOf(memoryMebibytes, left, registered.memoryMebibytes),
    };
  }
  const taken = ports.find((port) => Object.hasOwn(usedPorts, port));
  if (taken !== undefined) return { type: 'port-taken', port: taken };
  if (ports.length > 0 && ports.length + Object.keys(usedPorts).length > PORTS_MAX) {
    return { type: 'port-limit' };
  }
  return remaining.enis !== null && enis > remaining.enis ? { type: 'enis' } : undefined;
}

function amountsOf(needed: number, remaining: number, registered: number): Amounts {
  return { needed, remaining, registered };
}
