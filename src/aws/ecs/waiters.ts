import type { JsonObject } from '../../base/index.ts';

import { list, number } from './request-values.ts';

/** What a waiter makes of one answer. */
export type WaiterState = 'success' | 'failure' | 'retry';

/** How the SDKs and the command line wait: what they ask, how often, and what they take for what. */
export interface Waiter {
  readonly operation: 'DescribeServices' | 'DescribeTasks';
  readonly delaySeconds: number;
  readonly maxAttempts: number;
  /** Tried in this order; the first that matches decides (8.1). */
  readonly acceptors: readonly Acceptor[];
}

export interface Acceptor {
  readonly state: 'success' | 'failure';
  readonly when: string;
  matches(answer: JsonObject): boolean;
}

const missing: Acceptor = {
  state: 'failure',
  when: 'any failure is MISSING',
  matches: (answer) => list(answer['failures']).some(({ reason }) => reason === 'MISSING'),
};

/**
 * The waiters of the SDKs over an answer of `operation` (8.6 to 8.9). None of them looks at rollout
 * states, pending counts or health (8.4), and no services at all are stable ones (8.5).
 */
export const WAITERS = {
  servicesStable: {
    ...{ operation: 'DescribeServices', delaySeconds: 15, maxAttempts: 40 },
    acceptors: [
      missing,
      anyService('failure', 'DRAINING'),
      anyService('failure', 'INACTIVE'),
      {
        state: 'success',
        when: 'every service has one deployment and runs what it desires',
        matches: (answer) => list(answer['services']).every(isStable),
      },
    ],
  },
  servicesInactive: {
    ...{ operation: 'DescribeServices', delaySeconds: 15, maxAttempts: 40 },
    acceptors: [missing, anyService('success', 'INACTIVE')],
  },
  tasksRunning: {
    ...{ operation: 'DescribeTasks', delaySeconds: 6, maxAttempts: 100 },
    acceptors: [
      {
        state: 'failure',
        when: 'any task is STOPPED',
        matches: (answer) => list(answer['tasks']).some((task) => task['lastStatus'] === 'STOPPED'),
      },
      missing,
      everyTask('RUNNING'),
    ],
  },
  tasksStopped: {
    ...{ operation: 'DescribeTasks', delaySeconds: 6, maxAttempts: 100 },
    acceptors: [everyTask('STOPPED')],
  },
} as const satisfies { readonly [name: string]: Waiter };

/** What the waiter makes of this answer. */
export function waiterState(waiter: Waiter, answer: JsonObject): WaiterState {
  return waiter.acceptors.find((acceptor) => acceptor.matches(answer))?.state ?? 'retry';
}

function anyService(state: Acceptor['state'], status: string): Acceptor {
  return {
    ...{ state, when: `any service is ${status}` },
    matches: (answer) => list(answer['services']).some((service) => service['status'] === status),
  };
}

/** Of no task at all nothing is said. */
function everyTask(status: string): Acceptor {
  return {
    ...{ state: 'success', when: `every task is ${status}` },
    matches(answer) {
      const tasks = list(answer['tasks']);
      return tasks.length > 0 && tasks.every((task) => task['lastStatus'] === status);
    },
  };
}

function isStable({ deployments, runningCount, desiredCount }: JsonObject): boolean {
  return list(deployments).length === 1 && number(runningCount) === number(desiredCount);
}
