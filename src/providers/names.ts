import { ALPHANUMERIC, nextText, type RandomState } from '../base/index.ts';

const SUFFIX_LENGTH = 12;

/**
 * A name as CloudFormation makes them up: `<stack>-<LogicalId>-<12 letters and digits>` (I2). Where
 * it would be longer than the service allows, stack and logical id share what room there is (I3).
 *
 * @param lengthMax - characters, more than 16
 */
export function generatedName(
  { stackName, logicalId }: { readonly stackName: string; readonly logicalId: string },
  random: RandomState,
  lengthMax: number,
): string {
  const room = lengthMax - SUFFIX_LENGTH - 2;
  const [stack, logical] = fit(stackName, logicalId, room);
  return `${stack}-${logical}-${nextText(random, SUFFIX_LENGTH, ALPHANUMERIC)}`;
}

function fit(stack: string, logical: string, room: number): [string, string] {
  if (stack.length + logical.length <= room) return [stack, logical];
  const half = Math.floor(room / 2);
  const stackRoom = Math.max(half, room - logical.length);
  const kept = stack.slice(0, stackRoom);
  return [kept, logical.slice(0, room - kept.length)];
}
