import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Limits of one property. Lengths count characters of a text, or items of a list. */
export interface Constraints {
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  min?: number;
  max?: number;
}

/**
 * Constraints by `AWS::X::Y` (its properties), `AWS::X::Y.Attributes` (what the service sets) or
 * `AWS::X::Y.<definition>`, then by property name.
 */
export type Overlay = ReadonlyMap<string, ReadonlyMap<string, Constraints>>;

/**
 * Reads the constraints that AWS's registry schemas carry and the type database lacks, from the
 * JSDoc of the declaration files in `folder`: one file per resource type, one alias per definition.
 *
 * Only members of an alias itself are read; those of object types written inside one are left out.
 */
export function readOverlay(folder: string): Overlay {
  const overlay = new Map<string, Map<string, Constraints>>();
  const files = readdirSync(folder).filter((name) => name.endsWith('.d.ts'));
  for (const file of files.sort()) {
    const typeName = file.slice(0, -'.d.ts'.length).replaceAll('-', '::');
    readDeclarations(typeName, readFileSync(join(folder, file), 'utf8'), overlay);
  }
  return overlay;
}

const ALIAS_START = /^export type (\w+) = \{$/;
const TAG = /^ {5}\* @(pattern|minLength|maxLength|min|max) (.+)$/;
const MEMBER = /^ {4}"?(\w+)"?\??: /;

function readDeclarations(
  typeName: string,
  text: string,
  overlay: Map<string, Map<string, Constraints>>,
): void {
  const [, ...names] = typeName.split('::');
  // LambdaFunctionProperties and LambdaFunctionAttributes; other aliases are definitions.
  const owners: Readonly<Record<string, string>> = {
    [`${names.join('')}Properties`]: typeName,
    [`${names.join('')}Attributes`]: `${typeName}.Attributes`,
  };
  let members = new Map<string, Constraints>(); // of the alias being read
  let pending: Constraints = {};
  for (const line of text.split('\n')) {
    const [, alias] = ALIAS_START.exec(line) ?? [];
    if (alias !== undefined) {
      members = new Map();
      overlay.set(owners[alias] ?? `${typeName}.${alias}`, members);
    }
    const [, tag, value] = TAG.exec(line) ?? [];
    if (tag !== undefined && value !== undefined) readTag(pending, tag, value);
    const [, member] = MEMBER.exec(line) ?? [];
    if (member === undefined) continue;
    if (Object.keys(pending).length > 0) members.set(member, pending);
    pending = {};
  }
}

function readTag(constraints: Constraints, tag: string, value: string): void {
  const text = value.replace(/^`(.*)`$/, '$1');
  if (tag === 'pattern') {
    const pattern = portablePattern(text);
    if (pattern !== undefined) constraints.pattern = pattern;
    return;
  }
  const limit = Number(text);
  if (!Number.isFinite(limit)) return;
  if (tag === 'minLength' || tag === 'maxLength') constraints[tag] = limit;
  if (tag === 'min' || tag === 'max') constraints[tag] = limit;
}

/**
 * A Java pattern as JavaScript reads it with the `u` flag, or undefined where the two may differ:
 * a constraint lost costs a late message, one that refuses what AWS takes makes the product wrong.
 */
export function portablePattern(java: string): string | undefined {
  const pattern = java
    .replace(/\\[Zz]/g, '$')
    .replace(/\\A/g, '^')
    // Escapes that Java ignores and the `u` flag forbids; `\-` means the same only inside a class.
    .replace(/\\([^A-Za-z0-9\s^$\\.*+?()[\]{}|/-])/g, '$1');
  // `&&` intersects classes in Java, `\h` and `\R` are its own, `(?i)` has no counterpart here.
  if (/&&|\\[hHRGQE]|\(\?[a-z]/.test(pattern)) return undefined;
  try {
    return new RegExp(pattern, 'u') && pattern;
  } catch {
    return undefined; // does not compile: the answer this function is asked for
  }
}
