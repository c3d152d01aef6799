import type { JsonValue } from '../base/index.ts';
import { absentHint } from './compile-resources.ts';
import { evaluate } from './evaluate.ts';
import { scalarText } from './functions.ts';
import { refuseUnresolved, unresolvedInOutputs } from './inspect-template.ts';
import type { OutputModel } from './model.ts';
import { NO_VALUE } from './no-value.ts';
import { malformedOutput, type OutputDeclaration } from './output-section.ts';
import { refusal } from './refusal.ts';
import { isLate, type Scope } from './scope.ts';
import { down } from './trail.ts';

/** The outputs whose condition holds. What is known of a value is text (F30). */
export function compileOutputs(scope: Scope): { readonly [name: string]: OutputModel } {
  const kept = [...scope.sections.outputs.values()].filter(
    ({ condition }) => condition === undefined || scope.condition(condition),
  );
  const outputs = kept.map((output): [string, OutputModel] => [
    output.name,
    compileOutput(output, scope),
  ]);
  refuseUnresolved(scope.template, scope.absent, {
    known: [],
    message: unresolvedInOutputs,
    hint: absentHint(scope),
  });
  return Object.fromEntries(outputs);
}

function compileOutput(output: OutputDeclaration, scope: Scope): OutputModel {
  const exportName = evaluateExportName(output, scope);
  return {
    value: evaluateValue(output, scope),
    ...(exportName === undefined ? {} : { exportName }),
    ...(output.description === undefined ? {} : { description: output.description }),
  };
}

function evaluateValue({ value, at }: OutputDeclaration, scope: Scope): JsonValue {
  const below = down(at, 'Value');
  const evaluated = evaluate(value, below, scope);
  if (evaluated !== NO_VALUE && isLate(evaluated, scope) && !Array.isArray(evaluated)) {
    return evaluated;
  }
  const text = evaluated === NO_VALUE ? undefined : scalarText(evaluated);
  if (text !== undefined) return text;
  const message =
    'Template format error: The Value field of every Outputs member must evaluate to a String.';
  throw refusal(scope.template, message, below, 'join a list with Fn::Join');
}

/** The name of an export must be known before any resource is there (C15). */
function evaluateExportName(
  { name, exportName, at }: OutputDeclaration,
  scope: Scope,
): string | undefined {
  if (exportName === undefined) return undefined;
  const below = down(at, 'Export', 'Name');
  const evaluated = evaluate(exportName, below, scope);
  const isKnown = evaluated !== NO_VALUE && !isLate(evaluated, scope);
  const text = isKnown ? scalarText(evaluated) : undefined;
  if (text !== undefined && text !== '') return text;
  throw malformedOutput(
    scope.template,
    name,
    below,
    'the name of an export is text that no resource decides',
  );
}
