import { isObject, type JsonValue, UserError } from '../base/index.ts';
import { resolve } from '../language/index.ts';
import { lateReferencesOf } from './late-references.ts';
import type { EngineState, Stack } from './model.ts';
import type { EngineTurn } from './turn.ts';

/** Outputs and exports take their values; answers what AWS would say of one that cannot (C13, C27). */
export function settleOutputs(turn: EngineTurn, stack: Stack): string | undefined {
  const late = lateReferencesOf(stack, turn.registry);
  const outputs: { [name: string]: string } = {};
  const exports: { [name: string]: string } = {};
  try {
    for (const [name, output] of Object.entries(stack.model.outputs)) {
      const value = outputText(resolve(output.value, late));
      outputs[name] = value;
      if (output.exportName === undefined) continue;
      const owner = exporterOf(turn.state, stack, output.exportName);
      if (owner !== undefined) {
        return `Export with name ${output.exportName} is already exported by stack ${owner}.`;
      }
      exports[output.exportName] = value;
    }
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
  stack.outputs = outputs;
  stack.exports = exports;
  return undefined;
}

/** A stack that is not, or not any more, CREATE_COMPLETE exports nothing. */
function exporterOf(state: EngineState, { stackId, place }: Stack, name: string) {
  const owner = Object.values(state.stacks).find(
    (other) =>
      other.stackId !== stackId &&
      other.place.accountId === place.accountId &&
      other.place.region === place.region &&
      Object.hasOwn(other.exports, name),
  );
  return owner?.stackName;
}

/** What an output shows: text. Lists are joined as `Ref` on a list parameter would be written. */
function outputText(value: JsonValue): string {
  if (Array.isArray(value)) return value.map(outputText).join(',');
  return isObject(value) ? JSON.stringify(value) : String(value);
}
