import type { JsonObject } from '../../base/index.ts';
import { constraintFaults, strategyFaults } from './placement/index.ts';
import { faultIf, type RequestFault } from './request-fault.ts';
import { isGiven, isUnresolved, list } from './request-values.ts';

/** 1.44, 1.67 to 1.69, 7.6. */
export function placementFaults(request: JsonObject): readonly RequestFault[] {
  const { placementStrategy, placementConstraints } = request;
  const strategies = list(placementStrategy);
  const isKnown = strategies.every((one) => Object.values(one).every(isNoReference));
  return [
    ...onFargateFaults(request),
    ...strategies.flatMap(fieldFaults),
    ...list(placementConstraints).flatMap(expressionFaults),
    ...(isKnown ? strategyFaults(placementStrategy) : []),
    ...constraintFaults(placementConstraints, 'service'),
  ];
}

function isNoReference(value: JsonObject[string]): boolean {
  return typeof value !== 'string' || !isUnresolved(value);
}

/** 1.44: the wording for strategies was seen in a comment of somebody's template, no more. */
function onFargateFaults(request: JsonObject): readonly RequestFault[] {
  if (request['launchType'] !== 'FARGATE') return [];
  const unsupported = (field: string, what: string) =>
    faultIf(
      list(request[field]).length > 0,
      `Placement ${what} are not supported with FARGATE launch type.`,
      [field],
    );
  return [
    ...unsupported('placementStrategy', 'strategies'),
    ...unsupported('placementConstraints', 'constraints'),
  ];
}

/** 1.67 */
function fieldFaults({ type, field }: JsonObject, index: number): readonly RequestFault[] {
  const isWrong = type === 'random' && isGiven(field);
  const path = ['placementStrategy', index, 'field'];
  return faultIf(isWrong, 'random field should not be specified', path);
}

/** 1.68 */
function expressionFaults({ type, expression }: JsonObject, index: number) {
  const isWrong = type === 'distinctInstance' && isGiven(expression);
  const path = ['placementConstraints', index, 'expression'];
  return faultIf(isWrong, 'distinctInstance expression should not be specified', path);
}
