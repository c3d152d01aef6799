import type { JsonValue } from '../base/index.ts';

/** What `{ Ref: AWS::NoValue }` evaluates to: the key or item that holds it goes away (F27). */
export const NO_VALUE: unique symbol = Symbol('AWS::NoValue');

export type Evaluated = JsonValue | typeof NO_VALUE;
