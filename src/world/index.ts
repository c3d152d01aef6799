/** The world as a value: what a run depends on, and nothing else holds. */
export type { StackSettings, World } from './world.ts';
export {
  beginOperation,
  createWorld,
  findUnserialisable,
  fork,
  isWorld,
  operationsBegun,
} from './world.ts';
