import {
  isObject,
  type JsonObject,
  type JsonValue,
  type Path,
  type SourceSpan,
  UserError,
} from '../base/index.ts';
import { hidingDefaults } from './hidden-lines.ts';
import { readJson } from './json-document.ts';
import { type DuplicateKey, readYaml } from './yaml-document.ts';

/** A template as plain data that knows where each part of it was written. */
export interface Template {
  readonly file: string;
  readonly text: string;
  readonly format: 'yaml' | 'json';
  /** Short forms of YAML as long forms: `{ 'Fn::Sub': '…' }`, `{ 'Fn::GetAtt': ['A', 'B.C'] }`. */
  readonly body: JsonObject;
  /** Keys of a YAML map that stand there twice: the last one counts, as in CloudFormation. */
  readonly duplicateKeys: readonly DuplicateKey[];
  /**
   * The place of a member's key or of a list's item; for a path that leads nowhere, of the nearest
   * existing ancestor. Steps walk `body`, so also into a short form.
   */
  locate(path: Path): SourceSpan;
}

/** A scenario file: any JSON value, with the place of everything in it. */
export interface YamlDocument {
  readonly body: JsonValue;
  /** As `Template.locate`. */
  locate(path: Path): SourceSpan;
}

/**
 * Reads a template; a text that begins with `{` is JSON, any other YAML.
 *
 * @param file - as the user named it, for places in messages
 * @throws UserError (ValidationError) in CloudFormation's words (T14, T15, T16)
 */
export function parseTemplate(text: string, file: string): Template {
  const content = withoutByteOrderMark(text);
  const format = content.trimStart().startsWith('{') ? 'json' : 'yaml';
  const outcome = format === 'json' ? readJson(content, file) : readYaml(content, file, 'template');
  if ('problem' in outcome) throw malformed(format, outcome.problem, outcome.span);
  const { body, duplicateKeys } = outcome;
  if (!isObject(body)) {
    throw new UserError('ValidationError', 'Template format error: unsupported structure.', {
      hint: 'a template is a map with a Resources section',
      span: outcome.locate([]),
    });
  }
  const locate = hidingDefaults((path) => outcome.locate(path), body);
  return { file, text, format, body, duplicateKeys, locate };
}

/**
 * Reads a YAML 1.2 document (core schema: no dates, no `yes` and `no`), such as a scenario file.
 *
 * @throws UserError (InvalidScenario) with the place of the first thing wrong
 */
export function parseYamlDocument(text: string, file: string): YamlDocument {
  const outcome = readYaml(withoutByteOrderMark(text), file, 'scenario');
  if ('problem' in outcome) throw unreadable(outcome.problem, outcome.span);
  const twice = outcome.duplicateKeys[0];
  if (twice !== undefined) throw unreadable(`the key ${twice.key} is there twice`, twice.span);
  return outcome;
}

function unreadable(problem: string, span: SourceSpan): UserError {
  const message = `The file is not well-formed YAML: ${problem}`;
  const hint = `correct line ${span.line}, column ${span.column}`;
  return new UserError('InvalidScenario', message, { hint, span });
}

function malformed(format: 'yaml' | 'json', problem: string, span: SourceSpan): UserError {
  const place = `(line ${span.line}, column ${span.column})`;
  const message = `Template format error: ${format.toUpperCase()} not well-formed. ${place}`;
  return new UserError('ValidationError', message, {
    hint: `correct this place: ${problem}`,
    span,
  });
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
