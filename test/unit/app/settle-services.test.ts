import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Containers } from '../../../src/app/containers.ts';
import { createInbox } from '../../../src/app/inbox.ts';
import { settle } from '../../../src/app/parts.ts';
import type { Outfit } from '../../../src/app/run-world.ts';
import { settleServices } from '../../../src/app/settle-services.ts';
import { type EpochMs, SECOND_MS } from '../../../src/base/index.ts';
import { createDockerWorld } from '../../../src/world/index.ts';
import { createSession, deployText, KEY, REGISTRY } from '../../support/world.ts';

/** At an engine that says nothing, with work under way at the first looks. */
function outfitOf(busyLooks: number, limitMs: number): Outfit {
  let looks = 0;
  const containers: Containers = {
    driver: {
      isBusy() {
        looks += 1;
        return looks <= busyLooks;
      },
      perform: () => assert.fail('nothing is asked for'),
      adopt: async () => undefined,
      removeUnknown: async () => undefined,
      close: () => undefined,
    },
    lost: undefined,
    ask: () => assert.fail('nothing is asked for'),
    hasAsked: () => false,
    begin: () => undefined,
  };
  const stabilizing = { limitMs, isSet: false, giveUpOn: 'nothing', lookEverySeconds: 1 } as const;
  return {
    setting: { registry: REGISTRY, stabilizing, containers },
    ...{ inbox: createInbox(), progress: {}, containers, isInterrupted: () => false },
  };
}

const rows: readonly { what: string; busyLooks: number; limitMs: number }[] = [
  { what: 'ends without any news', busyLooks: 5, limitMs: 60 * SECOND_MS },
  { what: 'does not end', busyLooks: Number.POSITIVE_INFINITY, limitMs: 100 },
];

for (const { what, busyLooks, limitMs } of rows) {
  test(`an unchanged stack is not waited for any longer when work outside ${what}`, async () => {
    const { stack } = await deployText(
      createSession(),
      'Resources: { Topic: { Type: AWS::SNS::Topic } }',
    );
    const world = createDockerWorld('home', Date.now() as EpochMs);
    settle(world, KEY);
    const { result } = await settleServices(
      createSession(world),
      outfitOf(busyLooks, limitMs),
      stack,
    );
    assert.equal(result.verdict, 'stable');
  });
}
