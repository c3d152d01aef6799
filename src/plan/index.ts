/** What an operation will do, before it does it: the order of resources, and what changes. */
export { type Change, changesBetween, sameOutputs } from './changes.ts';
export { type Graph, type GraphNode, graphOf } from './graph.ts';
