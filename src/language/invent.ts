import type { Path } from '../base/index.ts';
import type { Template } from '../template/index.ts';
import type { Inputs, Lookups } from './compile-types.ts';
import { brokenConstraint } from './constraints.ts';
import { guesses } from './invent-guesses.ts';
import { MASK } from './no-echo.ts';
import type { ParameterDeclaration } from './parameter-section.ts';
import { textFor } from './pattern.ts';
import { type Purpose, purposeAt, together } from './purpose.ts';
import type { Findings } from './scope.ts';
import { pathOf, type Trail } from './trail.ts';

/** What inventions are made from, and where they are listed. */
interface InventionContext {
  readonly template: Template;
  readonly inputs: Inputs;
  readonly lookups: Lookups;
  readonly findings: Findings;
}

type WithUses = InventionContext & { readonly uses: ReadonlyMap<string, readonly Trail[]> };

/**
 * A value for a parameter that has none: of its type, within its constraints where one can be
 * found, and valid in the property the parameter ends in. The same for the same template.
 *
 * @returns lists comma-separated: two subnets or zones, one of anything else
 */
export function inventParameter(declaration: ParameterDeclaration, context: WithUses): string {
  const { name, kind, noEcho } = declaration;
  const value = kind.fromSsm ? `/invented/${name}` : inventValue(declaration, name, context);
  context.findings.inventions.push({ kind: 'parameter', name, value: noEcho ? MASK : value });
  return value;
}

/** What an SSM parameter holds that nobody described. */
export function inventSsmValue(
  ssmName: string,
  declaration: ParameterDeclaration,
  context: WithUses,
): string {
  const value = ssmGuess(ssmName, declaration, context);
  context.findings.inventions.push({ kind: 'ssm', ...shownSsm(ssmName, value, declaration) });
  return value;
}

/** The same for one that is taken to exist (`docs/decisions.md` 6). */
export function assumeSsmValue(
  ssmName: string,
  declaration: ParameterDeclaration,
  context: WithUses,
): string {
  const value = ssmGuess(ssmName, declaration, context);
  const shown = shownSsm(ssmName, value, declaration);
  context.findings.assumptions.push(`SSM parameter ${shown.name} exists and holds ${shown.value}`);
  return value;
}

/** The name is what the parameter is given: of a NoEcho parameter neither is seen. */
function shownSsm(name: string, value: string, { noEcho }: ParameterDeclaration) {
  return noEcho ? { name: MASK, value: MASK } : { name, value };
}

function ssmGuess(ssmName: string, declaration: ParameterDeclaration, context: WithUses): string {
  // The constraints are about the name (P12): the value is free.
  const { at, type, kind, name, noEcho } = declaration;
  return inventValue({ at, type, kind, name, noEcho }, ssmName, context);
}

/** The value under which another stack exports a name. */
export function inventExport(name: string, at: Path, context: InventionContext): string {
  const known = context.findings.inventions.find(
    (invention) => invention.kind === 'export' && invention.name === name,
  );
  if (known !== undefined) return known.value;
  const purpose = purposeAt(context.template, name, at);
  const fits = () => true; // nobody declares constraints of an export
  const value = madeUp({ type: 'String', purpose, isList: false, seed: name, fits }, context);
  context.findings.inventions.push({ kind: 'export', name, value });
  return value;
}

function inventValue(declaration: ParameterDeclaration, seed: string, context: WithUses): string {
  const { name, kind, allowedValues } = declaration;
  if (allowedValues?.[0] !== undefined) return allowedValues[0];
  const uses = context.uses.get(name) ?? [];
  const purpose = together(
    name,
    uses.map((at) => purposeAt(context.template, name, pathOf(at))),
  );
  const fits = (value: string) => brokenConstraint(value, declaration) === undefined;
  const more = (candidates: readonly string[]) => stretched(candidates, declaration, fits);
  return madeUp({ type: kind.element, purpose, isList: kind.list, seed, fits, more }, context);
}

interface Wanted {
  readonly type: string; // of one item
  readonly purpose: Purpose;
  readonly isList: boolean;
  readonly seed: string;
  fits(value: string): boolean;
  /** Another value that fits, for when none of the candidates does. */
  more?(candidates: readonly string[]): string | undefined;
}

/** One text: the items of a list comma-separated, the parts of a text that is split put together. */
function madeUp(wanted: Wanted, context: InventionContext): string {
  const { isList } = wanted;
  const { split, ...purpose } = wanted.purpose;
  const delimiter = isList ? ',' : split?.delimiter;
  const about = `${wanted.type} ${purpose.property ?? ''} ${purpose.name}`;
  const isPair = delimiter !== undefined && /subnet|availability_?zone|\bazs?\b/i.test(about);
  if (delimiter === undefined || delimiter === ':' || (!isList && !isPair)) {
    return oneItem(wanted, 0, context);
  }
  const least = isList ? purpose.items : (split?.parts ?? 1);
  const items = Array.from({ length: Math.max(isPair ? 2 : 1, least) }, (_, item) =>
    oneItem({ ...wanted, purpose }, item, context),
  );
  return items.join(delimiter);
}

function oneItem(wanted: Wanted, item: number, context: InventionContext): string {
  const { inputs, lookups, findings } = context;
  const { purpose, seed } = wanted;
  const usual = guesses(wanted.type, {
    ...{ purpose, item },
    seed: item === 0 ? seed : `${seed} ${item + 1}`,
    ordinal: findings.inventions.length,
    place: inputs,
    zones: lookups.availabilityZones(inputs.region),
  });
  const { split } = purpose;
  const enough = (value: string) =>
    split === undefined || value.split(split.delimiter).length >= split.parts;
  const candidates = [...purpose.keys, ...usual, ...repeated(usual[0], split)];
  const best = candidates.find((value) => enough(value) && wanted.fits(value));
  if (best !== undefined) return best;
  const fitting = candidates.find((value) => wanted.fits(value));
  return fitting ?? wanted.more?.(candidates) ?? candidates[0] ?? '';
}

/** A text with as many parts as it will be split into. */
function repeated(text: string | undefined, split: Purpose['split']): readonly string[] {
  if (text === undefined || split === undefined) return [];
  return [Array.from({ length: split.parts }, () => text).join(split.delimiter)];
}

/** A candidate brought within its length, a bound of a number, a text made from the pattern. */
function stretched(
  candidates: readonly string[],
  declaration: ParameterDeclaration,
  fits: (value: string) => boolean,
): string | undefined {
  const { allowedPattern, minValue, maxValue } = declaration;
  const bounds = [minValue, maxValue].flatMap((bound) => (bound === undefined ? [] : [`${bound}`]));
  const sized = candidates.map((value) => resized(value, declaration));
  const found = [...sized, ...bounds].find(fits);
  if (found !== undefined || allowedPattern === undefined) return found;
  for (const repeats of REPEATS) {
    const text = textFor(allowedPattern, repeats);
    if (fits(text)) return text;
  }
  return undefined;
}

const REPEATS: readonly number[] = [0, 1, 2, 4, 8, 12, 16, 32, 64];

/** A text brought within its length. */
function resized(value: string, { minLength = 0, maxLength }: ParameterDeclaration): string {
  const filler = value === '' ? 'a' : value;
  const repeated = filler.repeat(Math.ceil(Math.min(minLength, 4096) / filler.length));
  const long = value.length < minLength ? repeated.slice(0, minLength) : value;
  return maxLength === undefined ? long : long.slice(0, maxLength);
}
