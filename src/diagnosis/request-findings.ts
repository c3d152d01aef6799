import type { UserError } from '../base/index.ts';
import type { Finding } from './finding.ts';

/** A request that is refused before anything changes: what is wrong, the place, what to do. */
export function refusal({ code, message, hint, span }: UserError): Finding {
  return {
    code: code === 'ValidationError' ? 'TEMPLATE-REFUSED' : 'INPUT-UNUSABLE',
    severity: 'error',
    logicalId: null,
    title: message,
    where: span === undefined ? null : { ...span, path: '' },
    evidence: [],
    hint,
  };
}

/** Capabilities that AWS would ask for and that were not given: a warning, which changes no verdict. */
export function missingCapabilities(
  needed: readonly string[],
  given: readonly string[],
): Finding | undefined {
  // Who may name IAM resources may make them.
  const covers = (capability: string) =>
    given.includes(capability) ||
    (capability === 'CAPABILITY_IAM' && given.includes('CAPABILITY_NAMED_IAM'));
  const missing = needed.filter((capability) => !covers(capability));
  if (missing.length === 0) return undefined;
  return {
    code: 'CAPABILITIES-MISSING',
    severity: 'warning',
    logicalId: null,
    title: `AWS would refuse this request: Requires capabilities : [${missing.join(', ')}]`,
    where: null,
    evidence: [],
    hint: `give --capabilities ${missing.join(' ')}`,
  };
}
