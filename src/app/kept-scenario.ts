import type { StackModel } from '../language/index.ts';
import type { Scenario } from '../scenario/index.ts';

/**
 * A scenario as it is kept with a stack: without the values of NoEcho parameters (P17), and without
 * those of parameters that are another stack's, which may hide them.
 */
export function keptScenario(scenario: Scenario, { parameters }: Pick<StackModel, 'parameters'>) {
  const kept = Object.entries(scenario.parameters).filter(
    ([name]) => Object.hasOwn(parameters, name) && parameters[name]?.noEcho === false,
  );
  return { ...scenario, parameters: Object.fromEntries(kept) };
}
