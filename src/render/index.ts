/**
 * How things read: events, results, listings, errors and the live tree as text. Pure functions from
 * data to strings; the colour level is passed in and 0 gives plain text.
 */

export { COLUMNS, type Column } from './columns.ts';
export { doctorText } from './doctor-text.ts';
export { errorText } from './error-text.ts';
export { eventLine, isFailureEvent } from './event-line.ts';
export { detailText, listingText, logsText } from './listing-text.ts';
export type { ColourLevel } from './paint.ts';
export { resultText } from './result-text.ts';
export { plain } from './text.ts';
export { treeFrame } from './tree-frame.ts';
