import { isObject, type JsonObject, type JsonValue } from '../base/index.ts';
import type { Template } from '../template/index.ts';
import type { ResourceModel } from './model.ts';
import { refusal } from './refusal.ts';
import {
  checkKeys,
  checkName,
  type Member,
  mustBeObject,
  objectMember,
  sectionMembers,
} from './section.ts';
import { down, type Trail } from './trail.ts';
import { refusedExtension } from './transforms.ts';

/** A resource as declared, nothing evaluated. */
export interface ResourceDeclaration {
  readonly logicalId: string;
  readonly at: Trail;
  readonly type: string;
  readonly properties: JsonObject;
  readonly dependsOn: readonly { readonly name: string; readonly at: Trail }[];
  readonly condition?: string;
  readonly deletionPolicy: ResourceModel['deletionPolicy'];
  readonly updateReplacePolicy: ResourceModel['updateReplacePolicy'];
  /** Metadata, CreationPolicy and UpdatePolicy as written, where there are any. */
  readonly attributes: { readonly [Name in AttributeName]?: JsonValue };
}

export type AttributeName = 'Metadata' | 'CreationPolicy' | 'UpdatePolicy';
const ATTRIBUTES: readonly AttributeName[] = ['Metadata', 'CreationPolicy', 'UpdatePolicy'];

const KEYS: ReadonlySet<string> = new Set([
  ...ATTRIBUTES,
  'Condition',
  'DeletionPolicy',
  'DependsOn',
  'Properties',
  'Type',
  'UpdateReplacePolicy',
]);
const CUSTOM_KEYS: ReadonlySet<string> = new Set([...KEYS, 'Version']);

/** A type whose behaviour is a function of the user's. */
export function isCustomType(type: string): boolean {
  return type.startsWith('Custom::') || type === 'AWS::CloudFormation::CustomResource';
}

/** Resources by logical id (T7, T17 to T21). */
export function readResources(
  template: Template,
  extended: boolean,
): ReadonlyMap<string, ResourceDeclaration> {
  const members = sectionMembers(template, 'Resources', extended);
  if (members.length === 0) {
    const message = 'Template format error: At least one Resources member must be defined.';
    throw refusal(template, message, down(undefined, 'Resources'), 'declare a resource');
  }
  return new Map(members.map((member) => [member.name, readResource(template, member, extended)]));
}

function readResource(template: Template, member: Member, extended: boolean): ResourceDeclaration {
  checkName(template, 'Resource', member);
  const value = objectMember(template, 'Resources', member);
  const { at, name } = member;
  const type = readType(template, value, member);
  checkKeys(template, 'resource', { value, at, known: isCustomType(type) ? CUSTOM_KEYS : KEYS });
  const properties = value['Properties'] ?? {};
  if (!isObject(properties)) throw mustBeObject(template, 'Properties', down(at, 'Properties'));
  const condition = readCondition(template, value, at);
  const policy = { template, value, logicalId: name, at, extended };
  return {
    ...{ logicalId: name, at, type, properties },
    dependsOn: readDependsOn(template, value['DependsOn'], down(at, 'DependsOn')),
    ...(condition === undefined ? {} : { condition }),
    deletionPolicy:
      readPolicy({ ...policy, key: 'DeletionPolicy' }, DELETION_POLICIES) ??
      defaultDeletionPolicy(type, properties),
    updateReplacePolicy:
      readPolicy({ ...policy, key: 'UpdateReplacePolicy' }, REPLACE_POLICIES) ?? 'Delete',
    attributes: Object.fromEntries(
      ATTRIBUTES.flatMap((key) => (value[key] === undefined ? [] : [[key, value[key]]])),
    ),
  };
}

function readType(template: Template, value: JsonObject, { name, at }: Member): string {
  const type = value['Type'];
  if (typeof type === 'string' && type !== '') return type;
  const message = `Template format error: [/Resources/${name}] Every Resources object must contain a Type member.`;
  throw refusal(template, message, at, 'add a Type, for example AWS::ECS::Service');
}

/** The condition of a resource or an output: a literal name. */
export function readCondition(
  template: Template,
  value: JsonObject,
  at: Trail,
): string | undefined {
  const condition = value['Condition'];
  if (condition === undefined || typeof condition === 'string') return condition;
  const message = 'Template format error: Every Condition member must be a string.';
  throw refusal(template, message, down(at, 'Condition'), 'write the name of a condition');
}

function readDependsOn(
  template: Template,
  value: JsonValue | undefined,
  at: Trail,
): ResourceDeclaration['dependsOn'] {
  if (value === undefined) return [];
  const items = Array.isArray(value) ? value : [value];
  return items.map((item, index) => {
    const below = Array.isArray(value) ? down(at, index) : at;
    if (typeof item === 'string') return { name: item, at: below };
    const message = 'Template format error: Every DependsOn value must be a string.';
    throw refusal(template, message, below, 'write the logical id of a resource');
  });
}

const DELETION_POLICIES = ['Delete', 'Retain', 'RetainExceptOnCreate', 'Snapshot'] as const;
const REPLACE_POLICIES = ['Delete', 'Retain', 'Snapshot'] as const;

interface PolicyPlace {
  readonly template: Template;
  readonly value: JsonObject;
  readonly logicalId: string;
  readonly key: 'DeletionPolicy' | 'UpdateReplacePolicy';
  readonly at: Trail;
  readonly extended: boolean;
}

function readPolicy<Policy extends string>(
  { template, value, logicalId, key, at, extended }: PolicyPlace,
  allowed: readonly Policy[],
): Policy | undefined {
  const given = value[key];
  if (given === undefined) return undefined;
  const below = down(at, key);
  const found = allowed.find((policy) => policy === given);
  if (found !== undefined) return found;
  if (isObject(given) && extended) throw refusedExtension(template, `a function in ${key}`, below);
  const message =
    typeof given === 'string'
      ? `Template format error: Unrecognized ${key} ${given} for resource ${logicalId}`
      : `Template format error: Every ${key} member must be a string.`;
  throw refusal(template, message, below, `write one of ${allowed.join(', ')}`);
}

/** Databases are kept in a snapshot unless the template says otherwise (A3). */
function defaultDeletionPolicy(
  type: string,
  properties: JsonObject,
): ResourceModel['deletionPolicy'] {
  if (type === 'AWS::RDS::DBCluster') return 'Snapshot';
  const alone = properties['DBClusterIdentifier'] === undefined;
  return type === 'AWS::RDS::DBInstance' && alone ? 'Snapshot' : 'Delete';
}
