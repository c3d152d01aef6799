import type { LogicalId } from '../base/index.ts';
import type { Operation } from './model.ts';

export type Move =
  | { readonly type: 'start'; readonly logicalId: LogicalId }
  /** What is in flight is given up, and the operation turns round. */
  | { readonly type: 'turn-back'; readonly because: 'failure' | 'timeout' | 'interrupt' }
  | { readonly type: 'tell-configuration-complete' }
  | { readonly type: 'finish'; readonly failed: boolean };

/**
 * Decides what an operation does next, from its own state alone. A failure, a timeout or a Ctrl-C
 * ends a create at once unless it is to leave things as they are; a delete runs to its end (L20,
 * L24, L27, L43, L45).
 */
export function advance(operation: Operation, nowMs: number): readonly Move[] {
  if (operation.phase === 'creating') {
    const because = reasonToTurnBack(operation, nowMs);
    if (because !== undefined) return [{ type: 'turn-back', because }];
  }
  const starts = operation.ready.map((logicalId) => ({ type: 'start' as const, logicalId }));
  const moves: Move[] = [...starts];
  if (operation.phase === 'creating' && operation.unconfigured === 0 && operation.unfinished > 0) {
    moves.push({ type: 'tell-configuration-complete' });
  }
  const idle = starts.length === 0 && Object.keys(operation.inFlight).length === 0;
  if (idle) moves.push({ type: 'finish', failed: operation.failed.length > 0 });
  return moves;
}

function reasonToTurnBack(operation: Operation, nowMs: number) {
  const { failed, onFailure, timeoutAtMs, interrupted, unfinished } = operation;
  if (interrupted) return 'interrupt' as const;
  if (failed.length > 0 && onFailure !== 'DO_NOTHING') return 'failure' as const;
  if (timeoutAtMs !== null && nowMs >= timeoutAtMs && unfinished > 0) return 'timeout' as const;
  return undefined;
}
