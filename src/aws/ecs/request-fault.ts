import type { Path } from '../../base/index.ts';
import type { EcsExceptionCode } from './exception.ts';

/** What is wrong with a request, in the API's words. Rules are pure: an operation throws what they find. */
export interface RequestFault {
  readonly message: string;
  /** Members that the fault is about, from the request's root, to point a reader at them. */
  readonly path: Path;
  /** Where the API answers with another exception than the operation's usual one. */
  readonly code?: EcsExceptionCode;
}

/** The fault where the condition holds, nothing where it does not. */
export function faultIf(holds: boolean, message: string, path: Path): readonly RequestFault[] {
  return holds ? [{ message, path }] : [];
}
