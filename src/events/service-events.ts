/** What a service event says of its service: something went wrong, or things take their course. */
export type EventShape = 'failure' | 'routine';

/**
 * Which failure-shaped event becomes `failure.reason`: 1 first, the newest within a rank
 * (`docs/decisions.md` 19).
 */
export type EventRank = 1 | 2 | 3 | 4 | 5;

type Row = { readonly shape: 'routine' } | { readonly shape: 'failure'; readonly rank: EventRank };

/**
 * The one catalogue of service events: what may be a reason, and what goes before what. Numbers
 * are those of the rules in `src/aws/ecs/README.md`; the wording of each is in `aws/ecs`.
 */
export const SERVICE_EVENTS = {
  'steady-state': { shape: 'routine' }, // 5.1
  'started-tasks': { shape: 'routine' }, // 5.2
  'stopped-tasks': { shape: 'routine' }, // 5.4
  'registered-targets': { shape: 'routine' }, // 5.5
  'deregistered-targets': { shape: 'routine' }, // 5.6
  'drains-connections': { shape: 'routine' }, // 5.7
  'deployment-completed': { shape: 'routine' }, // 5.8
  'rolling-back': { shape: 'routine' }, // 5.12: says what ECS does next, not what went wrong
  holding: { shape: 'routine' }, // 5.30
  'cannot-place-because': { shape: 'failure', rank: 1 }, // 5.14, 5.29: "… Reason: …"
  'no-instances': { shape: 'failure', rank: 1 }, // 5.15: "… Reason: …"
  'deployment-failed': { shape: 'failure', rank: 2 }, // 5.11
  'alarm-detected': { shape: 'failure', rank: 2 }, // 5.13
  'failed-container-checks': { shape: 'failure', rank: 3 }, // 5.23
  'unhealthy-target': { shape: 'failure', rank: 3 }, // 5.24
  'no-instance-fits': { shape: 'failure', rank: 4 }, // 5.15
  'percentages-leave-no-room': { shape: 'failure', rank: 4 }, // 5.10
  'cannot-start-consistently': { shape: 'failure', rank: 5 }, // 5.9
} as const satisfies Record<string, Row>;

export type ServiceEventKind = keyof typeof SERVICE_EVENTS;

export function shapeOf(kind: ServiceEventKind): EventShape {
  return SERVICE_EVENTS[kind].shape;
}

/** The rank of a failure-shaped event; undefined for a routine one, which is never a reason. */
export function rankOf(kind: ServiceEventKind): EventRank | undefined {
  const row: Row = SERVICE_EVENTS[kind];
  return row.shape === 'failure' ? row.rank : undefined;
}
