import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskOrder } from '../../../../src/aws/ecs/index.ts';
import {
  asOrdered,
  collide,
  type HostPort,
  hostPortsOf,
  isOurs,
  portOnlyHere,
} from '../../../../src/runtime/docker/host-ports.ts';
import { container, taskOf } from './tasks.ts';

/** `127.0.0.1:80/tcp`, `:80/udp`, `:80`. */
function portIn(text: string): HostPort {
  const [, address = '', port, protocol] = /^(.*):(\d+)(?:\/(tcp|udp))?$/.exec(text) ?? [];
  return {
    port: Number(port),
    ...(address === '' ? {} : { address }),
    ...(protocol === undefined ? {} : { protocol: protocol as 'tcp' | 'udp' }),
  };
}

const pairs: readonly (readonly [one: string, other: string, collide: boolean])[] = [
  ['127.0.0.1:80/tcp', '127.0.0.1:80/tcp', true],
  ['127.0.0.1:80/tcp', '127.0.0.1:81/tcp', false],
  ['127.0.0.1:80/tcp', '127.0.0.1:80/udp', false],
  ['127.0.0.1:80/tcp', '127.0.0.2:80/tcp', false],
  ['127.0.0.1:80/tcp', '0.0.0.0:80/tcp', true],
  [':::80/tcp', '127.0.0.1:80/tcp', true],
  [':80/tcp', '127.0.0.1:80/tcp', true],
  ['127.0.0.1:80', '127.0.0.1:80/udp', true],
];

for (const [one, other, is] of pairs) {
  test(`${one} and ${other} ${is ? 'exclude each other' : 'can be had at once'}`, () => {
    assert.equal(collide(portIn(one), portIn(other)), is);
    assert.equal(collide(portIn(other), portIn(one)), is);
  });
}

/** A task by its network mode and the host ports of its container, as `bridge 80/tcp 53/udp`. */
function taskWith(picture: string, publish = '127.0.0.1') {
  const [networkMode, ...ports] = picture.split(' ');
  const portMappings = ports.map((text) => {
    const { port: hostPort, protocol = 'tcp' } = portIn(`:${text}`);
    return { containerPort: hostPort, hostPort, protocol };
  });
  const containers = [container('app', { portMappings })];
  return taskOf({ networkMode: networkMode as TaskOrder['networkMode'], containers }, { publish });
}

const orders: readonly (readonly [picture: string, asks: readonly string[]])[] = [
  ['bridge 80/tcp 53/udp', ['127.0.0.1:80/tcp', '127.0.0.1:53/udp']],
  ['bridge 0/tcp', []],
  ['host 80/tcp', [':80/tcp']],
  ['awsvpc 80/tcp', []],
  ['none 80/tcp', []],
];

for (const [picture, asks] of orders) {
  test(`the host ports that a task asks for, ${picture}: ${asks.join(', ') || 'none'}`, () => {
    assert.deepEqual(hostPortsOf(taskWith(picture)), asks.map(portIn));
  });
}

const holders: readonly {
  when: string;
  taken: string;
  others: readonly { picture: string; publish?: string; refused?: string }[];
  ours: boolean;
}[] = [
  { when: 'there is no other task', taken: '127.0.0.1:80/tcp', others: [], ours: false },
  {
    when: 'another one asks for it',
    taken: '127.0.0.1:80/tcp',
    others: [{ picture: 'bridge 80/tcp' }],
    ours: true,
  },
  {
    when: 'another one listens on the host',
    taken: '127.0.0.1:80/tcp',
    others: [{ picture: 'host 80/tcp' }],
    ours: true,
  },
  {
    when: 'another one asks for it with the other protocol',
    taken: '127.0.0.1:53/tcp',
    others: [{ picture: 'bridge 53/udp' }],
    ours: false,
  },
  {
    when: 'another one asks for it at another address',
    taken: '127.0.0.1:80/tcp',
    others: [{ picture: 'bridge 80/tcp', publish: '127.0.0.2' }],
    ours: false,
  },
  {
    when: 'another one was refused it too',
    taken: '127.0.0.1:80/tcp',
    others: [{ picture: 'bridge 80/tcp', refused: '127.0.0.1:80/tcp' }],
    ours: false,
  },
  {
    when: 'one was refused it, and one has it',
    taken: '127.0.0.1:80/tcp',
    others: [{ picture: 'bridge 80/tcp', refused: '127.0.0.1:80' }, { picture: 'bridge 80/tcp' }],
    ours: true,
  },
  {
    when: 'another one has an interface of its own',
    taken: '127.0.0.1:80/tcp',
    others: [{ picture: 'awsvpc 80/tcp' }],
    ours: false,
  },
];

for (const { when, taken, others, ours } of holders) {
  test(`port ${taken} is taken, and ${when}: ${ours ? 'by ours' : 'by others'}`, () => {
    const rivals = others.map(({ picture, publish, refused }) => ({
      task: taskWith(picture, publish),
      refused: refused === undefined ? [] : [portIn(refused)],
    }));
    assert.equal(isOurs(portIn(taken), rivals), ours);
  });
}

test('what the engine does not say of a port is as it was ordered, where that is certain', () => {
  const taken = portIn('127.0.0.1:53');
  assert.deepEqual(asOrdered(taskWith('bridge 53/udp 80/tcp'), taken), portIn('127.0.0.1:53/udp'));
  assert.deepEqual(asOrdered(taskWith('bridge 53/udp 53/tcp'), taken), taken);
  assert.deepEqual(asOrdered(taskWith('awsvpc 53/udp'), taken), taken);
});

test('a port is taken by who is named, or by nobody that is known', () => {
  assert.match(
    portOnlyHere(80, 'web-1').text,
    /^port 80 of this machine is taken by container web-1$/,
  );
  assert.match(portOnlyHere(80, undefined).text, /is taken by a process that is no task$/);
  assert.match(portOnlyHere(80, undefined).hint, /--publish/);
});
