import type { ResourceModel } from '../language/index.ts';
import type { Finding } from './finding.ts';

/** A resource that runs something which this version does not, and what that is. */
export interface Unsimulated extends Pick<ResourceModel, 'logicalId' | 'type' | 'source'> {
  readonly what: string; // "the resources of a nested stack are not run"
}

/** What leaves a stack undetermined that is well otherwise (`docs/decisions.md` 6). */
export function notSimulated({ logicalId, type, source, what }: Unsimulated): Finding {
  return {
    code: 'NOT-SIMULATED',
    severity: 'warning',
    logicalId,
    title: `${logicalId} (${type}) is not simulated: ${what}`,
    where: { ...source, path: `Resources/${logicalId}` },
    evidence: [],
    hint: 'the rest of the stack came up here; whether this part does has to be seen on AWS',
  };
}
