/**
 * A scenario file: how images behave and what the account holds outside the template.
 *
 * `parseScenario` reads one; `behaviourOf` answers for one image.
 */
export { behaviourOf } from './behaviour-of.ts';
export { parseScenario } from './parse-scenario.ts';
export type { ImageBehaviour, PullAnswer, Scenario } from './scenario.ts';
