/** Throws when a promise of our own code does not hold. Never used for what a user may get wrong. */
export function assert(condition: boolean, promise: string): asserts condition {
  if (!condition) throw new Error(`defect: ${promise}`);
}

/** Ends a `switch` over a union: a new member does not compile until it is handled. */
export function assertNever(value: never): never {
  throw new Error(`defect: unhandled ${JSON.stringify(value)}`);
}

/** Narrows a value that our own bookkeeping says is there. */
export function present<T>(value: T | undefined | null, promise: string): T {
  if (value === undefined || value === null) throw new Error(`defect: ${promise}`);
  return value;
}
