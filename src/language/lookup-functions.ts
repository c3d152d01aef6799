import type { JsonValue } from '../base/index.ts';
import { scalarText } from './functions.ts';
import { inventExport } from './invent.ts';
import { MESSAGES } from './messages.ts';
import { madeOfHidden, maskNoEcho, placeholderIn } from './no-echo.ts';
import { type Evaluated, NO_VALUE } from './no-value.ts';
import { notAvailable, refusal } from './refusal.ts';
import { isLate, type Scope } from './scope.ts';
import { pathOf, type Trail } from './trail.ts';

/** Fn::ImportValue: the value another stack exports under the name (F22, C14). */
export function evaluateImport(argument: Evaluated, at: Trail, scope: Scope): JsonValue {
  const name = argument === NO_VALUE || isLate(argument, scope) ? undefined : scalarText(argument);
  if (name === undefined) {
    throw refusal(scope.template, MESSAGES.importValue, at, 'name the export as text');
  }
  const { findings, inputs, lookups } = scope;
  findings.imports.add(name);
  const value = lookups.exportValue(name);
  if (value !== undefined) return value;
  if (placeholderIn(name) !== undefined) {
    findings.assumptions.push(`an export named ${maskNoEcho(name)} exists`);
    return madeOfHidden(name); // nobody knows what it is exported as, so its name waits for its value
  }
  if (inputs.invent) return inventExport(name, pathOf(at), scope);
  findings.preflightFailure ??= `No export named ${name} found`;
  return '';
}

/** Fn::GetAZs: the zones of a region, of the stack's own for the empty text (F21). */
export function evaluateGetAZs(argument: Evaluated, at: Trail, scope: Scope): JsonValue {
  if (argument !== NO_VALUE && isLate(argument, scope)) {
    const message = 'Fn::GetAZs of a value that a resource gives is not available';
    throw notAvailable(scope.template, message, at, 'name the region by parameter or as text');
  }
  const region = argument === NO_VALUE ? undefined : scalarText(argument);
  if (region === undefined) {
    throw refusal(scope.template, MESSAGES.getAZs, at, 'name the region as text');
  }
  return [...scope.lookups.availabilityZones(region === '' ? scope.inputs.region : region)];
}
