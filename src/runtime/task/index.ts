/** What is true of a task's containers whoever runs them. */
export type { ContainerStanding, Standing } from './dependencies.ts';
export { dependenciesOf, dependencyError } from './dependencies.ts';
export { OUT_OF_MEMORY } from './texts.ts';
