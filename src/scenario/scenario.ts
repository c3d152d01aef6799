import type { JsonObject } from '../base/index.ts';

/** How images behave and what the account holds outside the template, as plain data. */
export interface Scenario {
  readonly account?: string; // 12 digits
  readonly region?: string;
  readonly parameters: { readonly [name: string]: string };
  readonly images: { readonly [reference: string]: ImageBehaviour };
  /** Checked for form; each key is followed by the part of the product that simulates it. */
  readonly world: JsonObject;
  /** Keys that were read and that this version does not follow yet: `world.subnets`, `images.listens`. */
  readonly notFollowed: readonly string[];
}

/** The registry's answer to one pull. */
export type PullAnswer = 'ok' | 'not-found' | 'denied' | 'timeout';

/** What is absent has the default: the pull succeeds and the program runs for ever. */
export interface ImageBehaviour {
  /** One answer per attempt, the last one repeated. */
  readonly pull?: readonly [PullAnswer, ...PullAnswer[]];
  /** `linux/amd64`, `linux/arm64`; absent: the one the task asks for. */
  readonly platforms?: readonly string[];
  /** Programs that exist in the image; absent: every one. */
  readonly executables?: readonly string[];
  /** The process ends by itself this long after its start. */
  readonly exits?: { readonly afterMs: number; readonly code: number };
  /** What it prints, line by line. */
  readonly output: readonly string[];
  /** What the process grows to, and when it has. */
  readonly memory?: { readonly mebibytes: number; readonly afterMs: number };
  /** What it listens at, from that long after its start on; absent: at every port, at once. */
  readonly listens?: { readonly port?: number; readonly afterMs: number };
  /** What its container's own health check comes to, and what that prints. */
  readonly healthcheck?: 'pass' | 'fail';
  readonly healthcheckOutput?: string;
}
