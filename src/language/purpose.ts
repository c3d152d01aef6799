import { isObject, type JsonValue, type Path } from '../base/index.ts';
import type { Template } from '../template/index.ts';
import { listIndex } from './apply.ts';

/** What a made-up value is for, and what is asked of it there. */
export interface Purpose {
  /** Of the parameter, export or SSM parameter. */
  readonly name: string;
  /** The property the value ends in, where it is used as a whole: `Subnets`, `Cpu`. */
  readonly property?: string;
  /** Type of the resource that has the property. */
  readonly type?: string;
  /** The text is split there by this delimiter, and needs so many parts at least. */
  readonly split?: { readonly delimiter: string; readonly parts: number };
  /** As a list it needs so many items at least. */
  readonly items: number;
  /** It chooses among the keys of a mapping. */
  readonly keys: readonly string[];
}

/** Names that say nothing about what they hold. */
const NEUTRAL: ReadonlySet<string | number> = new Set(['Value', 'Values', 'Default']);

/** Arguments of Fn::Cidr, as properties would be called that hold the like. */
const CIDR_ARGUMENTS: readonly string[] = ['CidrBlock', 'CidrCount', 'CidrHostBits'];

/** What one use asks of a value. */
export function purposeAt(template: Template, name: string, path: Path): Purpose {
  let purpose: Purpose = { name, items: 0, keys: [] };
  for (let index = path.length - 1; index >= 2; index -= 1) {
    const step = path[index];
    if (step === undefined || typeof step === 'number') continue;
    const argument = (): JsonValue[] => listAt(template, path.slice(0, index + 1));
    switch (step) {
      case 'Ref':
      case 'Fn::If':
      case 'Fn::ImportValue':
        break;
      case 'Fn::Split':
        purpose = { ...purpose, split: { delimiter: String(argument()[0]), parts: 1 } };
        break;
      case 'Fn::Select':
        purpose = withChoice(purpose, listIndex(argument()[0] ?? null) ?? 0);
        break;
      case 'Fn::FindInMap':
        return { ...purpose, keys: keysAt(template, argument(), Number(path[index + 1])) };
      case 'Fn::Cidr':
        return withProperty(purpose, CIDR_ARGUMENTS[Number(path[index + 1])]);
      default:
        if (step.startsWith('Fn::') || NEUTRAL.has(step) || index < 3) return purpose;
        return withProperty({ ...purpose, ...typeAt(template, path) }, step);
    }
  }
  return purpose;
}

/** All uses of one value taken together: the first property that tells, the greatest demands. */
export function together(name: string, purposes: readonly Purpose[]): Purpose {
  const told = purposes.find(({ property }) => property !== undefined);
  const splits = purposes.flatMap(({ split }) => split ?? []);
  const split = splits.sort((a, b) => b.parts - a.parts)[0];
  return {
    ...{ ...told, name },
    ...(split === undefined ? {} : { split }),
    items: Math.max(0, ...purposes.map(({ items }) => items)),
    keys: purposes.find(({ keys }) => keys.length > 0)?.keys ?? [],
  };
}

function withProperty(purpose: Purpose, property: string | undefined): Purpose {
  return property === undefined ? purpose : { ...purpose, property };
}

/** Fn::Select asks for a part of what was split, or for an item of a list. */
function withChoice(purpose: Purpose, index: number): Purpose {
  const { split } = purpose;
  if (split === undefined) return { ...purpose, items: index + 1 };
  return { ...purpose, split: { ...split, parts: index + 1 } };
}

function typeAt(template: Template, [section, logicalId]: Path): { readonly type?: string } {
  if (section !== 'Resources') return {};
  const resource = valueAt(template, ['Resources', String(logicalId)]);
  const type = isObject(resource) ? resource['Type'] : undefined;
  return typeof type === 'string' ? { type } : {};
}

/** The keys of a mapping's first level, or of all its entries' second level. */
function keysAt(template: Template, argument: readonly JsonValue[], level: number): string[] {
  const mapping = valueAt(template, ['Mappings', String(argument[0])]);
  if (!isObject(mapping)) return [];
  if (level === 1) return Object.keys(mapping);
  const key = argument[1];
  const entries = Object.entries(mapping).filter(
    ([name]) => typeof key !== 'string' || name === key,
  );
  return level === 2
    ? entries.flatMap(([, entry]) => (isObject(entry) ? Object.keys(entry) : []))
    : [];
}

function listAt(template: Template, path: Path): JsonValue[] {
  const value = valueAt(template, path);
  return Array.isArray(value) ? value : [];
}

function valueAt({ body }: Template, path: Path): JsonValue | undefined {
  let value: JsonValue | undefined = body;
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)];
    else value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}
