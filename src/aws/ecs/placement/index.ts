/**
 * Where tasks run: container instances and what is left on them, the choice of an instance for a
 * task and of a task to stop, capacity providers, and daemons. Rule numbers are those of `../README.md`.
 *
 * `placeTask` chooses and changes nothing; `reserve` and `release` keep the books. All of it is a
 * function of plain data; how an expression is read and an instance checked is nobody else's business.
 */
export type { ProviderShare } from './capacity.ts';
export { distribute } from './capacity.ts';
export type { PlacementConstraint } from './constraints.ts';
export { constraintFaults, constraintsOf } from './constraints.ts';
export type { DaemonPlan } from './daemon.ts';
export { planDaemon } from './daemon.ts';
export type { PlacementFailure } from './failure.ts';
export { cannotPlaceMessage, failureCode } from './failure.ts';
export type { ContainerInstance, InstanceRegistration } from './instance.ts';
export { registerInstance, release, reserve } from './instance.ts';
export type { ParsedExpression } from './parse-expression.ts';
export { parseExpression } from './parse-expression.ts';
export type { Placement, PlacementRules } from './place.ts';
export { placeTask } from './place.ts';
export type { TaskRequirements } from './requirements.ts';
export { requirementsOf } from './requirements.ts';
export type { ScaleInRules, TasksOnInstance } from './scale-in.ts';
export { chooseTasksToStop } from './scale-in.ts';
export type { Shortfall } from './shortfall.ts';
export type { PlacementStrategy } from './strategies.ts';
export { strategiesOf, strategyFaults } from './strategies.ts';
export type { ServiceSubnet } from './subnets.ts';
export { chooseSubnet } from './subnets.ts';
