import type { JsonObject } from '../../base/index.ts';
import { faultIf, type RequestFault } from './request-fault.ts';
import { isGiven, knownText, list } from './request-values.ts';

const MAX_STRATEGIES = 5;
const MAX_EXPRESSION_LENGTH = 2000;

/** 1.44, 1.67 to 1.69, 7.6. */
export function placementFaults(request: JsonObject): readonly RequestFault[] {
  const strategies = list(request['placementStrategy']);
  const constraints = list(request['placementConstraints']);
  const message = `Maximum number of strategies is ${MAX_STRATEGIES}`;
  return [
    ...onFargateFaults(request, strategies, constraints),
    ...faultIf(strategies.length > MAX_STRATEGIES, message, ['placementStrategy']),
    ...strategies.flatMap(strategyFaults),
    ...constraints.flatMap(constraintFaults),
  ];
}

/** 1.44: the wording for strategies was seen in a comment of somebody's template, no more. */
function onFargateFaults(
  { launchType }: JsonObject,
  strategies: readonly JsonObject[],
  constraints: readonly JsonObject[],
): readonly RequestFault[] {
  if (launchType !== 'FARGATE') return [];
  const unsupported = (what: string) => `${what} are not supported with FARGATE launch type.`;
  return [
    ...faultIf(strategies.length > 0, unsupported('Placement strategies'), ['placementStrategy']),
    ...faultIf(constraints.length > 0, unsupported('Placement constraints'), [
      'placementConstraints',
    ]),
  ];
}

/** 1.67; 7.6: of what `binpack` packs AWS's wording was not seen. */
function strategyFaults({ type, field }: JsonObject, index: number): readonly RequestFault[] {
  const path = ['placementStrategy', index, 'field'];
  const packed = (knownText(field) ?? 'memory').toLowerCase();
  const isPackable = packed === 'cpu' || packed === 'memory';
  return [
    ...faultIf(type === 'random' && isGiven(field), 'random field should not be specified', path),
    ...faultIf(type === 'binpack' && !isPackable, 'binpack field must be cpu or memory', path),
  ];
}

/** 1.68; 7.6: of the length AWS's wording was not seen. */
function constraintFaults({ type, expression }: JsonObject, index: number) {
  const path = ['placementConstraints', index, 'expression'];
  const length = knownText(expression)?.length ?? 0;
  return [
    ...faultIf(
      type === 'distinctInstance' && isGiven(expression),
      'distinctInstance expression should not be specified',
      path,
    ),
    ...faultIf(
      length > MAX_EXPRESSION_LENGTH,
      `An expression has at most ${MAX_EXPRESSION_LENGTH} characters`,
      path,
    ),
  ];
}
