/**
 * Tasks as containers of a Docker engine. The runtime decides over plain data and asks for effects;
 * the driver carries them out at the engine, outside the world, and what comes of them enters the
 * world again as news. The engine's client is loaded by `connect` alone.
 */
export type { Bench, JournalEntry, OutputLine } from './bench.ts';
export type { Driver } from './driver.ts';
export { createDriver } from './driver.ts';
export type { Engine } from './engine.ts';
export { connect } from './engine.ts';
export { inspectContainer } from './engine-containers.ts';
export type { PullProgress } from './engine-images.ts';
export { lastLines } from './engine-output.ts';
export { engineUnavailable, isUnusable } from './faults.ts';
export type { Home } from './labels.ts';
export { containerName } from './labels.ts';
export type { Leftover } from './leftovers.ts';
export { findLeftovers, removeLeftovers } from './leftovers.ts';
export type { Probe } from './probe.ts';
export { probe } from './probe.ts';
export { createDockerRuntime, dockerRuntimeDueMs, stepDockerRuntime } from './runtime.ts';
export type { DockerRuntimeState, DockerTask, TaskNews, TaskOwner } from './state.ts';
export { createDockerRuntimeState } from './state.ts';
export { endNews } from './task-end.ts';
export type { DockerTurn } from './task-life.ts';
export { resumeTasks } from './task-life.ts';
export type { Unknown, ValueSource } from './values.ts';
