import {
  durationMs,
  type Form,
  invalid,
  listOf,
  mapOf,
  mebibytes,
  member,
  oneOf,
  type Spot,
  shape,
  text,
  textLike,
  wholeNumber,
} from './forms.ts';
import type { ImageBehaviour, PullAnswer } from './scenario.ts';

const pullAnswer = oneOf<PullAnswer>('ok', 'not-found', 'denied', 'timeout');
const platform = textLike(/^[a-z\d]+\/[a-z\d]+(\/v\d+)?$/, 'a platform', 'linux/amd64');

const pullAnswers: Form<readonly [PullAnswer, ...PullAnswer[]]> = (spot) => {
  if (!Array.isArray(spot.value)) return [pullAnswer(spot)];
  const [first, ...others] = listOf(pullAnswer)(spot);
  if (first === undefined) throw invalid(spot, 'is an empty list', 'leave it out, or write ok');
  return [first, ...others];
};

const platforms: Form<readonly string[]> = (spot) => {
  const named = listOf(platform)(spot);
  if (named.length > 0) return named;
  throw invalid(spot, 'is an empty list', 'leave it out, or write [linux/amd64]');
};

const exitCode = wholeNumber(0, 255);
const exits: Form<NonNullable<ImageBehaviour['exits']>> = (spot) => {
  shape({ after: durationMs, code: exitCode }, ['code'])(spot);
  const afterMs = member(spot, 'after', durationMs) ?? 0;
  return { afterMs, code: member(spot, 'code', exitCode) ?? 0 };
};

/** Text, split at its line ends, or a list of lines. */
const output: Form<readonly string[]> = (spot) =>
  Array.isArray(spot.value) ? listOf(text)(spot) : linesOf(text(spot));

function linesOf(value: string): readonly string[] {
  const lines = value.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Read and checked here, and followed by no part of this version yet. */
const NOT_FOLLOWED = {
  paths: mapOf(wholeNumber(100, 599)),
} as const;

const port = wholeNumber(1, 65_535);
const healthcheck = oneOf('pass', 'fail');
const listens: Form<NonNullable<ImageBehaviour['listens']>> = (spot) => {
  shape({ port, after: durationMs })(spot);
  const at = member(spot, 'port', port);
  return { ...(at !== undefined && { port: at }), afterMs: member(spot, 'after', durationMs) ?? 0 };
};

const imageShape = shape({
  pull: pullAnswers,
  platforms,
  executables: listOf(text),
  exits,
  output,
  memory: mebibytes,
  memory_after: durationMs,
  listens,
  ...NOT_FOLLOWED,
  healthcheck,
  healthcheck_output: text,
});

/** How one image behaves; an entry that says nothing, `web:1:`, leaves every default. */
export const imageBehaviour: Form<ImageBehaviour> = (entry) => {
  const spot = orEmpty(entry);
  imageShape(spot);
  const pull = member(spot, 'pull', pullAnswers);
  const built = member(spot, 'platforms', platforms);
  const executables = member(spot, 'executables', listOf(text));
  const ends = member(spot, 'exits', exits);
  const memory = memoryOf(spot);
  const listensAt = member(spot, 'listens', listens);
  const check = member(spot, 'healthcheck', healthcheck);
  const checkOutput = member(spot, 'healthcheck_output', text);
  return {
    ...(pull && { pull }),
    ...(built && { platforms: built }),
    ...(executables && { executables }),
    ...(ends && { exits: ends }),
    output: member(spot, 'output', output) ?? [],
    ...(memory && { memory }),
    ...(listensAt && { listens: listensAt }),
    ...(check && { healthcheck: check }),
    ...(checkOutput !== undefined && { healthcheckOutput: checkOutput }),
  };
};

/** The keys of an image entry that no part of this version follows: `images.listens`. */
export function notFollowedOfImage(entry: Spot): readonly string[] {
  const followed = (key: string) => member(orEmpty(entry), key, () => true) === undefined;
  return Object.keys(NOT_FOLLOWED).flatMap((key) => (followed(key) ? [] : [`images.${key}`]));
}

function memoryOf(spot: Spot): ImageBehaviour['memory'] {
  const size = member(spot, 'memory', mebibytes);
  const afterMs = member(spot, 'memory_after', durationMs);
  if (size !== undefined) return { mebibytes: size, afterMs: afterMs ?? 0 };
  if (afterMs === undefined) return undefined;
  throw invalid(spot, 'has "memory_after" without "memory"', 'say with "memory" what it grows to');
}

/** A key written with nothing behind it stands for an empty mapping. */
export function orEmpty(spot: Spot): Spot {
  return spot.value === null ? { ...spot, value: {} } : spot;
}
