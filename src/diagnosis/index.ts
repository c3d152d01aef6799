/** From record, model and account views to findings: cause, evidence, place. Pure. */

export { type Down, diagnose, type Facts, serviceDown } from './diagnose.ts';
export type { Evidence, Finding, FindingCode, Place } from './finding.ts';
export { notSimulated, type Unsimulated } from './not-simulated.ts';
export { missingCapabilities, refusal } from './request-findings.ts';
export { engineLost, onlyHere } from './this-machine.ts';
