import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundsOf } from '../../../../src/aws/ecs/bounds.ts';
import type { TaskPhase } from '../../../../src/aws/ecs/model.ts';
import { type Action, reconcile, type ServiceSnapshot } from '../../../../src/aws/ecs/reconcile.ts';
import { LOCAL_RULES, type SchedulerRules } from '../../../../src/aws/ecs/rules.ts';

interface Picture {
  readonly desired: number;
  /** A task's mark: . starts, ~ runs but does not count yet, + counts, ! is unhealthy, - stops. */
  readonly tasks: string;
  readonly max?: number;
  readonly min?: number;
  readonly rollout?: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  readonly steady?: true;
  readonly backingOff?: true;
  readonly refused?: true;
  readonly userStopped?: number;
  readonly baking?: ServiceSnapshot['baking'];
  /** AWS's reading of the ceiling: a task that is stopping takes no room any more (3.3). */
  readonly stoppingTakesNoRoom?: true;
}

const PHASES: { readonly [mark: string]: TaskPhase } = {
  '.': 'starting',
  '~': 'running',
  '+': 'counting',
  '!': 'unhealthy',
  '-': 'stopping',
};

function snapshot(picture: Picture): ServiceSnapshot {
  const { desired, max = 200, min = 100 } = picture;
  const counts = (of: string) => {
    const total = { starting: 0, running: 0, counting: 0, unhealthy: 0, stopping: 0 };
    for (const task of picture.tasks.split(' ').filter((name) => name.startsWith(of))) {
      total[PHASES[task.at(-1) ?? ''] ?? 'starting'] += 1;
    }
    return total;
  };
  return {
    desiredCount: desired,
    bounds: boundsOf(desired, { maximumPercent: max, minimumHealthyPercent: min }),
    current: counts('new'),
    outdated: counts('old'),
    deployments: picture.tasks.includes('old') ? 2 : 1,
    rolloutState: picture.rollout ?? 'IN_PROGRESS',
    backingOff: picture.backingOff ?? false,
    refused: picture.refused ?? false,
    userStopped: picture.userStopped ?? 0,
    baking: picture.baking ?? 'none',
    steady: picture.steady ?? false,
  };
}

function brief(action: Action): string {
  switch (action.type) {
    case 'start-tasks':
      return `start ${action.count}${action.replacing > 0 ? ` for ${action.replacing} unhealthy` : ''}`;
    case 'stop-tasks':
      return `stop ${action.count} ${action.of === 'current' ? 'new' : 'old'} ${action.phase}`;
    default:
      return action.type;
  }
}

const pictures: readonly (Picture & { readonly when: string; readonly then: string })[] = [
  { when: 'the service is new', desired: 2, tasks: '', then: 'start 2' },
  { when: '3.12 the service is new at 100/100', desired: 2, tasks: '', max: 100, then: 'start 2' },
  { when: 'the new fit on top', desired: 2, tasks: 'old+ old+', then: 'start 2' },
  { when: '3.1 the ceiling is near', desired: 2, tasks: 'old+ old+', max: 150, then: 'start 1' },
  { when: '3.10 nothing may move', desired: 2, tasks: 'old+ old+', max: 100, then: 'hold' },
  {
    when: 'g a ceiling below the desired count',
    desired: 2,
    tasks: 'new+',
    max: 50,
    min: 0,
    then: 'hold',
  },
  { when: 'the new are starting', desired: 2, tasks: 'old+ old+ new. new.', then: '' },
  { when: '3.4 a new one just runs', desired: 2, tasks: 'old+ old+ new~ new.', then: '' },
  {
    when: '3.4 a new one counts',
    desired: 2,
    tasks: 'old+ old+ new+ new.',
    then: 'stop 1 old counting',
  },
  {
    when: 'a the floor alone is no reason to stop',
    desired: 4,
    tasks: 'old+ old+ old+ old+ new. new. new. new.',
    min: 0,
    then: '',
  },
  {
    when: 'a stop-first: the old leave no room',
    desired: 2,
    tasks: 'old+ old+',
    max: 100,
    min: 0,
    then: 'stop 2 old counting',
  },
  {
    when: 'a stop-first down to the floor',
    desired: 4,
    tasks: 'old+ old+ old+ old+',
    max: 100,
    min: 50,
    then: 'stop 2 old counting',
  },
  {
    when: '3.3 an old one is stopping and takes room',
    desired: 1,
    tasks: 'old-',
    max: 100,
    min: 0,
    then: '',
  },
  {
    when: '3.3 an old one is stopping and takes none',
    desired: 1,
    tasks: 'old-',
    max: 100,
    min: 0,
    stoppingTakesNoRoom: true,
    then: 'start 1',
  },
  {
    when: 'a an old one holds the port the new one was refused for',
    desired: 1,
    tasks: 'old+',
    min: 0,
    backingOff: true,
    refused: true,
    then: 'stop 1 old counting',
  },
  {
    when: 'a the floor keeps the old one although it holds the port',
    desired: 1,
    tasks: 'old+',
    backingOff: true,
    refused: true,
    then: '',
  },
  { when: 'b a failure is too recent', desired: 2, tasks: 'new+', backingOff: true, then: '' },
  {
    when: 'an old one has not started yet',
    desired: 1,
    tasks: 'old. new.',
    then: 'stop 1 old starting',
  },
  { when: 'the old are gone', desired: 2, tasks: 'new+ new+', then: 'reach-steady-state' },
  {
    when: 'the counts say done and it was said',
    desired: 2,
    tasks: 'new+ new+',
    rollout: 'COMPLETED',
    steady: true,
    then: '',
  },
  {
    when: '8.15 nothing is desired on a first deployment',
    desired: 0,
    tasks: '',
    max: 100,
    then: 'reach-steady-state',
  },
  { when: 'scaled in to zero', desired: 0, tasks: 'new+', then: 'stop 1 new counting' },
  {
    when: 'scaled in: those that serve least go first',
    desired: 1,
    tasks: 'new+ new~ new.',
    then: 'stop 1 new starting, stop 1 new running',
  },
  {
    when: 'f one died in the steady state',
    desired: 2,
    tasks: 'new+',
    rollout: 'COMPLETED',
    steady: true,
    then: 'leave-steady-state, start 1',
  },
  {
    when: '4.19 a FAILED deployment places nothing more',
    desired: 2,
    tasks: 'new+',
    rollout: 'FAILED',
    then: '',
  },
  {
    when: '4.17 a FAILED deployment gives no old one up',
    desired: 1,
    tasks: 'old+',
    max: 100,
    min: 0,
    rollout: 'FAILED',
    then: '',
  },
  {
    when: '4.13 a user stopped one',
    desired: 2,
    tasks: 'new+',
    rollout: 'COMPLETED',
    userStopped: 1,
    then: '',
  },
];

for (const { when, then, ...picture } of pictures) {
  test(`reconcile when ${when}: ${then || 'nothing'}`, () => {
    const rules: SchedulerRules = {
      ...LOCAL_RULES,
      stoppingTakesRoom: picture.stoppingTakesNoRoom !== true,
    };
    const actions = reconcile(snapshot(picture), rules);
    assert.equal(actions.map(brief).join(', '), then);
  });
}
