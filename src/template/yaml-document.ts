import {
  type Document,
  type DocumentOptions,
  type ParseOptions,
  parseDocument,
  type ScalarTag,
  type SchemaOptions,
  type Tags,
  type YAMLError,
} from 'yaml';
import type { JsonValue, Path, SourceSpan } from '../base/index.ts';
import { nearest } from '../base/index.ts';
import { createLines } from './lines.ts';
import { locateIn } from './position.ts';
import { SHORT_FORM_TAGS, shortFormTags } from './short-forms.ts';
import { yamlPositions } from './yaml-positions.ts';
import { readValues, ValueFault } from './yaml-values.ts';

/** A parsed document, or the first thing wrong with it. */
type YamlOutcome =
  | {
      readonly body: JsonValue;
      readonly duplicateKeys: readonly DuplicateKey[];
      locate(path: Path): SourceSpan;
    }
  | { readonly problem: string; readonly span: SourceSpan };

/** A key that stands twice in its map: the place of the later one, which counts. */
export interface DuplicateKey {
  readonly key: string;
  readonly span: SourceSpan;
}

/** Templates are YAML 1.1 with CloudFormation's tags, scenario files YAML 1.2 (core schema). */
type YamlKind = 'template' | 'scenario';

/** Reads one YAML document. What the text holds never makes it throw. */
export function readYaml(text: string, file: string, kind: YamlKind): YamlOutcome {
  const lines = createLines(text, file);
  const fail = (problem: string, offset: number): YamlOutcome => ({
    problem,
    span: lines.spanAt(offset),
  });
  try {
    const document = parseDocument(text, OPTIONS[kind]);
    const first = firstError(document);
    if (first !== undefined) return fail(explain(first), first.pos[0]);
    const { body, targets, duplicates } = readValues(document);
    const tree = yamlPositions(document, targets, text);
    return {
      body,
      duplicateKeys: duplicates.map(({ key, offset }) => ({ key, span: lines.spanAt(offset) })),
      locate: (path) => locateIn(tree, path, lines),
    };
  } catch (error) {
    if (error instanceof ValueFault) return fail(error.message, error.offset);
    // The parser works by recursion: nesting beyond the stack ends here.
    if (error instanceof RangeError) return fail(TOO_DEEP, 0);
    throw error;
  }
}

const COMMON: ParseOptions & DocumentOptions = {
  logLevel: 'error', // with `silent` a second document would pass unseen
  stringKeys: true,
  prettyErrors: false,
  // Seen while reading the values: the parser's own check takes quadratic time.
  uniqueKeys: false,
};

const OPTIONS: Readonly<Record<YamlKind, ParseOptions & DocumentOptions & SchemaOptions>> = {
  template: { ...COMMON, version: '1.1', customTags: templateTags },
  scenario: { ...COMMON, version: '1.2', schema: 'core' },
};

/** Dropped, so that `2010-09-09` stays text; the others have no meaning in a template. */
const DROPPED = new Set(['timestamp', 'binary', 'omap', 'pairs', 'set'].map(yamlTag));
const BOOLEAN = yamlTag('bool');
const NUMBERS = new Set(['int', 'float'].map(yamlTag));

function yamlTag(name: string): string {
  return `tag:yaml.org,2002:${name}`;
}

function templateTags(base: Tags): Tags {
  const kept = base.flatMap((tag): Tags => {
    if (typeof tag === 'string') return [tag];
    if (DROPPED.has(tag.tag)) return [];
    if (tag.collection !== undefined) return [tag];
    if (tag.tag === BOOLEAN) return [longBoolean(tag)];
    return NUMBERS.has(tag.tag) ? [{ ...tag, resolve: canonicalNumber }] : [tag];
  });
  return [...kept, ...shortFormTags];
}

/** `Y` and `N` stay text, as for CloudFormation, although YAML 1.1 has them as booleans too. */
function longBoolean(tag: ScalarTag): ScalarTag {
  return {
    ...tag,
    resolve: (text, onError, options) =>
      text.length === 1 ? text : tag.resolve(text, onError, options),
  };
}

/** `1.10`, `0755`, `1e3` and `22:30` would change on their way through a number: they stay text. */
function canonicalNumber(text: string): number | string {
  const value = Number(text);
  return String(value) === text ? value : text;
}

const TOO_DEEP = 'nested too deeply';

function firstError(document: Document): YAMLError | undefined {
  // An unknown tag is only a warning to the parser.
  const warnings = document.warnings.filter(
    ({ code }) => code === 'TAG_RESOLVE_FAILED' || code === 'BAD_COLLECTION_TYPE',
  );
  // Keys are checked while reading the values, where `! "Ref"` passes.
  const errors = document.errors.filter(({ code }) => code !== 'NON_STRING_KEY');
  const all: YAMLError[] = [...errors, ...warnings];
  return all.sort((a, b) => a.pos[0] - b.pos[0])[0];
}

function explain({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here';
  if (code === 'RESOURCE_EXHAUSTION') return TOO_DEEP;
  const tag = /^Unresolved tag: (.*)$/s.exec(message)?.[1];
  if (tag === undefined) return message;
  const meant = nearest(tag, SHORT_FORM_TAGS);
  return `unknown tag ${tag}${meant === undefined ? '' : `, did you mean ${meant}`}`;
}
