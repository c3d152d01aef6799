import { type JsonValue, sameJson } from '../base/index.ts';
import type { OutputModel, ResourceModel, StackModel } from '../language/index.ts';

/** One planned change of a stack. */
export interface Change {
  readonly action: 'Add' | 'Modify' | 'Remove';
  readonly logicalId: string;
  readonly type: string;
}

/**
 * What differs between two models of a stack, in template order, removals last. Attributes that are
 * no change by themselves (DeletionPolicy, UpdateReplacePolicy: T42) are not compared.
 */
export function changesBetween(
  previous: StackModel | undefined,
  desired: StackModel,
): readonly Change[] {
  const before = previous?.resources ?? {};
  const changes: Change[] = [];
  for (const { logicalId, ...resource } of Object.values(desired.resources)) {
    const old = before[logicalId];
    const { type } = resource;
    if (old === undefined) changes.push({ action: 'Add', logicalId, type });
    else if (!sameResource(old, { logicalId, ...resource })) {
      changes.push({ action: 'Modify', logicalId, type });
    }
  }
  for (const { logicalId, type } of Object.values(before)) {
    if (desired.resources[logicalId] === undefined) {
      changes.push({ action: 'Remove', logicalId, type });
    }
  }
  return changes;
}

/** Outputs count as a change even where no resource has one (T42). */
export function sameOutputs(a: StackModel, b: StackModel): boolean {
  const shape = (outputs: StackModel['outputs']): JsonValue =>
    Object.fromEntries(
      Object.entries(outputs).map(([name, { value, exportName }]: [string, OutputModel]) => [
        name,
        [value, exportName ?? null],
      ]),
    );
  return sameJson(shape(a.outputs), shape(b.outputs));
}

function sameResource(a: ResourceModel, b: ResourceModel): boolean {
  return (
    a.type === b.type &&
    sameJson(a.properties, b.properties) &&
    sameJson(a.metadata, b.metadata) &&
    sameJson(a.creationPolicy, b.creationPolicy) &&
    sameJson(a.updatePolicy, b.updatePolicy)
  );
}
