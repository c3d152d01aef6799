/** The world as a value: what a run depends on, and nothing else holds. */
export type { ContainerSettings, RuntimeKind, StackSettings, World } from './world.ts';
export {
  beginOperation,
  createDockerWorld,
  createWorld,
  findUnserialisable,
  fork,
  isWorld,
  ofHome,
  operationsBegun,
} from './world.ts';
