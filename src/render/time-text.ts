import { HOUR_MS, MINUTE_MS, parseDurationMs, SECOND_MS } from '../base/index.ts';

/** Time since the start of an operation: `00:12.5`, and `36:00:00` from an hour on. */
export function elapsedText(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS);
  const minutes = two(Math.floor((ms % HOUR_MS) / MINUTE_MS));
  const seconds = two(Math.floor((ms % MINUTE_MS) / SECOND_MS));
  if (hours > 0) return `${hours}:${minutes}:${seconds}`;
  return `${minutes}:${seconds}.${Math.floor((ms % SECOND_MS) / 100)}`;
}

/** How long something took, in at most two units: `41.5 s`, `2 min 5 s`, `36 h`, `1 h 5 min`. */
export function durationText(ms: number): string {
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${tenths / 10} s`;
  const seconds = Math.round(ms / SECOND_MS);
  if (seconds < 3600) return units(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(ms / MINUTE_MS);
  return units(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

/** The same for an ISO 8601 duration; one that cannot be read is shown as it is. */
export function isoDurationText(iso: string): string {
  const ms = parseDurationMs(iso);
  return ms === undefined ? iso : durationText(ms);
}

function units(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
