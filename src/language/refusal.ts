import { nearest, type Path, UserError } from '../base/index.ts';
import type { Template } from '../template/index.ts';
import { maskNoEcho } from './no-echo.ts';
import { pathOf, type Trail } from './trail.ts';

/**
 * A template or parameter that CloudFormation would refuse.
 *
 * @param message - CloudFormation's sentence, where one is known
 * @param at - the offending node
 * @param hint - what to do about it
 */
export function refusal(template: Template, message: string, at: Trail, hint: string): UserError {
  return refusalAt(template, message, pathOf(at), hint);
}

export function refusalAt(
  template: Template,
  message: string,
  path: Path,
  hint: string,
): UserError {
  const span = template.locate(path);
  return new UserError('ValidationError', maskNoEcho(message), { hint: maskNoEcho(hint), span });
}

/** Something CloudFormation knows and this version does not do. */
export function notAvailable(
  template: Template,
  message: string,
  at: Trail,
  hint: string,
): UserError {
  return new UserError('NotAvailable', message, { hint, span: template.locate(pathOf(at)) });
}

/** `did you mean "Cluster"?`, or the other advice where no known name is close. */
export function didYouMean(name: string, known: Iterable<string>, otherwise: string): string {
  const meant = nearest(name, [...known]);
  return meant === undefined ? otherwise : `did you mean "${meant}"?`;
}
