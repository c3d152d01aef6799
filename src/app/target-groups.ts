import type { Account } from '../aws/account/index.ts';
import { findResource } from '../aws/resources/index.ts';
import { SECOND_MS } from '../base/index.ts';
import type { TargetGroupFacts } from '../runtime/simulated/index.ts';

const TYPE = 'AWS::ElasticLoadBalancingV2::TargetGroup';
/** What a target group has that does not say (`data/durations.json`, `ecs.alb`). */
const DEFAULTS = { interval: 30, healthy: 5, unhealthy: 2, deregistrationDelay: 300 };

/** How a target group of the account checks its targets; one that lies outside has the defaults. */
export function targetGroupFacts({ other }: Account, arn: string): TargetGroupFacts {
  const model = findResource(other, TYPE, arn) ?? {};
  const checkPort = Number(model['HealthCheckPort']); // `traffic-port` is no number
  const settings = numbersOf(model);
  return {
    intervalMs: settings('HealthCheckIntervalSeconds', DEFAULTS.interval) * SECOND_MS,
    healthyThreshold: settings('HealthyThresholdCount', DEFAULTS.healthy),
    unhealthyThreshold: settings('UnhealthyThresholdCount', DEFAULTS.unhealthy),
    ...(checkPort > 0 ? { checkPort } : {}),
    deregistrationDelayMs: delaySeconds(model['TargetGroupAttributes']) * SECOND_MS,
  };
}

function numbersOf(model: { readonly [property: string]: unknown }) {
  return (property: string, otherwise: number) => {
    const value = Number(model[property] ?? otherwise);
    return Number.isFinite(value) ? value : otherwise;
  };
}

function delaySeconds(attributes: unknown): number {
  const entries = Array.isArray(attributes)
    ? (attributes as { Key?: string; Value?: string }[])
    : [];
  const named = entries.find(({ Key }) => Key === 'deregistration_delay.timeout_seconds');
  const seconds = Number(named?.Value ?? DEFAULTS.deregistrationDelay);
  return Number.isFinite(seconds) ? seconds : DEFAULTS.deregistrationDelay;
}
