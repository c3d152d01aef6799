import type { ServiceView } from '../events/index.ts';
import { type ColourLevel, createPaint, isBad, type Paint, statusColour } from './paint.ts';
import { cut, lastPart, plain, plural } from './text.ts';
import { durationText, elapsedText } from './time-text.ts';
import { type Leaf, serviceLeaves } from './tree-service.ts';

/** What a frame shows: how things stand at one instant of a running command. */
export interface TreeView {
  readonly elapsedMs: number; // in the stack's own time
  readonly stacks: readonly TreeStack[];
}

interface TreeStack {
  readonly stackName: string;
  readonly status: string;
  readonly resources: readonly TreeResource[];
}

interface TreeResource {
  readonly logicalId: string;
  readonly type: string;
  readonly status: string;
  readonly statusReason: string | null;
  readonly sinceMs: number; // in this status for so long
  readonly service?: ServiceView;
}

export interface FrameSize {
  readonly width: number;
  readonly height: number; // lines at most, 1 or more
  readonly colour: ColourLevel;
}

/**
 * The live tree as lines: stacks, their resources, under a service its deployments and tasks. What
 * is done gives way first, then tasks, then deployments: what moves or fails stays in sight.
 *
 * @returns at most `height` lines of at most `width` characters
 */
export function treeFrame(view: TreeView, { width, height, colour }: FrameSize): string[] {
  const paint = createPaint(colour);
  const leaves = view.stacks.flatMap((stack) => stackLeaves(stack, view.elapsedMs, paint));
  return fitted(leaves, height).map((leaf) => {
    const text = cut(leaf.text, width);
    return leaf.colour === undefined ? text : leaf.colour(text);
  });
}

function fitted(leaves: readonly Leaf[], height: number): readonly Leaf[] {
  if (leaves.length <= height) return leaves;
  for (const weight of [3, 2, 1] as const) {
    const kept = leaves.filter((leaf) => leaf.weight < weight);
    const room = height - 1 - kept.length;
    if (room < 0 && weight > 1) continue;
    // Those of the weight that gives way fill what room is left, in their places.
    let spare = Math.max(0, room);
    const shown = leaves.filter((leaf) => {
      if (leaf.weight !== weight) return leaf.weight < weight;
      spare -= 1;
      return spare >= 0;
    });
    return withRest(shown.slice(0, height - 1), leaves.length);
  }
  return [];
}

function withRest(shown: readonly Leaf[], all: number): Leaf[] {
  return [...shown, { text: `… ${plural(all - shown.length, 'more line')}`, weight: 0 }];
}

function stackLeaves(stack: TreeStack, elapsedMs: number, paint: Paint): Leaf[] {
  const heading: Leaf = {
    text: `${elapsedText(elapsedMs)}  ${stack.stackName}  ${stack.status}`,
    weight: 0,
    colour: (text) => paint.strong(statusColour(stack.status, paint)(text)),
  };
  const width = Math.max(0, ...stack.resources.map(({ logicalId }) => logicalId.length));
  return [heading, ...stack.resources.flatMap((one) => resourceLeaves(one, width, paint))];
}

function resourceLeaves(resource: TreeResource, idWidth: number, paint: Paint): Leaf[] {
  const { logicalId, status, statusReason, sinceMs, service, type } = resource;
  const isMoving = status.endsWith('_IN_PROGRESS');
  const failed = isBad(status);
  const tail = isMoving ? durationText(sinceMs) : failed ? plain(statusReason ?? '') : '';
  const parts = [mark(status), logicalId.padEnd(idWidth), status, tail || lastPart(type)];
  const line: Leaf = {
    text: `  ${parts.join(' ')}`.replace(/\n/g, ' '),
    weight: isMoving || failed ? 0 : 3,
    colour: statusColour(status, paint),
  };
  // Tasks of a service that is there are no news.
  const isShown = service !== undefined && (isMoving || failed);
  return isShown ? [line, ...serviceLeaves(service, paint)] : [line];
}

function mark(status: string): string {
  if (isBad(status)) return '✗';
  return status.endsWith('_COMPLETE') ? '✓' : '●';
}
