import type { JsonObject } from '../../base/index.ts';
import { faultIf, type RequestFault } from './request-fault.ts';
import { memberOf, number } from './request-values.ts';
import { defaultPercents } from './service-request.ts';

const SETTING = 'availabilityZoneRebalancing';

/**
 * 1.77 for a new service that asks for both; that AWS words it like an update was not seen. A service
 * that says nothing is not rebalanced here (1.13, 1.78): the stop-first recipe deploys cleanly (10.22).
 */
export function rebalancingFaults(request: JsonObject): readonly RequestFault[] {
  const { schedulingStrategy, deploymentConfiguration } = request;
  const given = number(memberOf(deploymentConfiguration, 'maximumPercent'));
  const { maximumPercent } = defaultPercents(schedulingStrategy === 'DAEMON');
  const isAsked = request[SETTING] === 'ENABLED' && (given ?? maximumPercent) <= 100;
  return faultIf(isAsked, refusal('created'), [SETTING]);
}

/** 1.77: whichever of the two an update changes. */
export function updatedRebalancingFaults(
  updated: JsonObject,
  maximumPercent: number,
): readonly RequestFault[] {
  const both = updated[SETTING] === 'ENABLED' && maximumPercent <= 100;
  return faultIf(both, refusal('updated'), ['deploymentConfiguration', 'maximumPercent']);
}

function refusal(what: 'created' | 'updated'): string {
  return `The service couldn't be ${what} because Availability Zone Rebalancing does not support maximumPercent <= 100 % as deployment configuration.`;
}
