import type { Brand } from './identifiers.ts';

/** Milliseconds since 1970-01-01T00:00:00Z, in a world's own time. */
export type EpochMs = Brand<number, 'EpochMs'>;

/** Where simulated time begins (`docs/decisions.md` 21). */
export const SIMULATION_START_MS = Date.UTC(2000, 0, 1) as EpochMs;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

export function addMs(at: EpochMs, ms: number): EpochMs {
  return (at + ms) as EpochMs;
}

/** RFC 3339 in UTC with milliseconds: `2000-01-01T00:00:05.000Z`. */
export function toRfc3339(at: EpochMs): string {
  return new Date(at).toISOString();
}

/** ISO 8601, hours at most, fractions of a second where there are any: `PT36H`, `PT1M30.5S`. */
export function toIsoDuration(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const seconds = (ms % MINUTE_MS) / SECOND_MS;
  const text =
    (hours > 0 ? `${hours}H` : '') +
    (minutes > 0 ? `${minutes}M` : '') +
    (seconds > 0 ? `${seconds}S` : '');
  return text === '' ? 'PT0S' : `PT${text}`;
}

/**
 * Reads a duration as people type it (`90s`, `10m`, `36h`, `500ms`, `1h30m`) or in ISO 8601 (`PT5M`).
 *
 * @returns milliseconds, or undefined when the text is neither
 */
export function parseDurationMs(text: string): number | undefined {
  // In ISO 8601 days stand before the T; an M there would be months, which have no length.
  const iso = /^P(\d+(?:\.\d+)?D)?(?:T((?:\d+(?:\.\d+)?[HMS])+))?$/i.exec(text);
  const plain = iso === null ? text : `${iso[1] ?? ''}${iso[2] ?? ''}`;
  const units: Readonly<Record<string, number>> = {
    ms: 1,
    s: SECOND_MS,
    m: MINUTE_MS,
    h: HOUR_MS,
    d: 24 * HOUR_MS,
  };
  if (!/^(\d+(\.\d+)?(ms|[smhd]))+$/i.test(plain)) return undefined;
  let total = 0;
  for (const [, amount, unit] of plain.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/gi)) {
    total += Number(amount) * (units[(unit ?? '').toLowerCase()] ?? Number.NaN);
  }
  return total;
}
