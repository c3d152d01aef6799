import { readFileSync } from 'node:fs';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  type Path,
  type SourceSpan,
  UserError,
} from '../base/index.ts';
import { parseTemplate } from '../template/index.ts';

/** A JSON file of an assembly, with the place of everything in it. */
export interface JsonDocument {
  readonly file: string;
  readonly body: JsonObject;
  locate(path: Path): SourceSpan;
}

const SYNTHESISE_AGAIN = 'run `cdk synth` again and give the folder that it writes';

/** Reads a JSON file, or answers undefined when there is none. */
export function readDocument(file: string): JsonDocument | undefined {
  const text = readText(file);
  if (text === undefined) return undefined;
  if (!/^\uFEFF?\s*\{/.test(text)) throw damaged(`${file} is no JSON object`);
  try {
    // A template in JSON is read just as strictly, and keeps its places.
    const { body, locate } = parseTemplate(text, file);
    return { file, body, locate };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { span, hint } = error;
    const place = span === undefined ? '' : ` (line ${span.line}, column ${span.column})`;
    throw new UserError('InvalidAssembly', `${file} is not well-formed JSON${place}`, {
      hint: `${hint}; ${SYNTHESISE_AGAIN}`,
      span,
      cause: error,
    });
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code !== 'EACCES' && code !== 'EISDIR') throw error;
    throw damaged(`${file} cannot be read (${code})`);
  }
}

function damaged(message: string): UserError {
  return new UserError('InvalidAssembly', message, { hint: SYNTHESISE_AGAIN });
}

/** An error at a place of a file of the assembly. */
export function invalidAt(
  { file, locate }: JsonDocument,
  path: Path,
  says: string,
  hint = SYNTHESISE_AGAIN,
): UserError {
  const name = path.length === 0 ? file : `${path.join('.')} of ${file}`;
  return new UserError('InvalidAssembly', `${name} ${says}`, { hint, span: locate(path) });
}

function valueAt({ body }: JsonDocument, path: Path): JsonValue | undefined {
  let value: JsonValue | undefined = body;
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)];
    else value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value ?? undefined; // null means as much as nothing here
}

/** The text at a path; undefined where there is nothing. */
export function textAt(document: JsonDocument, path: Path): string | undefined {
  const value = valueAt(document, path);
  if (value === undefined || typeof value === 'string') return value;
  throw invalidAt(document, path, 'must be text');
}

export function requiredTextAt(document: JsonDocument, path: Path): string {
  const text = textAt(document, path);
  if (text !== undefined && text !== '') return text;
  throw invalidAt(document, path, 'is missing');
}

/** The keys of the mapping at a path; none where there is nothing. */
export function keysAt(document: JsonDocument, path: Path): readonly string[] {
  const value = valueAt(document, path);
  if (value === undefined) return [];
  if (isObject(value)) return Object.keys(value);
  throw invalidAt(document, path, 'must be a mapping');
}

/** How many items the list at a path has; 0 where there is nothing. */
export function lengthAt(document: JsonDocument, path: Path): number {
  const value = valueAt(document, path);
  if (value === undefined) return 0;
  if (Array.isArray(value)) return value.length;
  throw invalidAt(document, path, 'must be a list');
}

/** The texts of the list at a path. */
export function textsAt(document: JsonDocument, path: Path): readonly string[] {
  const indexes = Array.from({ length: lengthAt(document, path) }, (_, index) => index);
  return indexes.map((index) => requiredTextAt(document, [...path, index]));
}

/** A mapping from name to text; numbers and booleans are taken as they read. */
export function textMapAt(document: JsonDocument, path: Path): { [name: string]: string } {
  const entries = keysAt(document, path).map((key) => {
    const value = valueAt(document, [...path, key]);
    if (typeof value === 'number' || typeof value === 'boolean') return [key, String(value)];
    return [key, textAt(document, [...path, key]) ?? ''];
  });
  return Object.fromEntries(entries);
}
