import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContainerDefinition, TaskOrder } from '../../../../src/aws/ecs/index.ts';
import {
  containerSpec,
  pauseSpec,
  type Spec,
  type Surroundings,
  type Values,
} from '../../../../src/runtime/docker/spec.ts';
import { container, TASK, taskOf } from './tasks.ts';

const AROUND: Surroundings = {
  name: 'overcast-0a1b2c3d-app',
  labels: { 'overcast-cfn.stack': 'demo' },
  cpus: 2,
  pause: 'overcast-0a1b2c3d.pause',
};
const VALUES: Values = { image: 'web:1', environment: [], entryPoint: [], command: [] };
const MIB = 1024 * 1024;

interface Asked {
  readonly task?: Partial<TaskOrder>;
  readonly container?: Partial<ContainerDefinition>;
  readonly values?: Partial<Values>;
}

function specOf({ task = {}, container: more = {}, values = {} }: Asked): Spec {
  const definition = container('app', more);
  const ordered = taskOf({ containers: [definition], ...task }, { publish: '127.0.0.2' });
  return containerSpec(ordered, definition, { ...VALUES, ...values }, AROUND);
}

/** How a container is reached: `8080 -> 80/tcp`, with nothing before the arrow where the engine picks. */
function network({ HostConfig, ExposedPorts, Hostname }: Spec): string {
  const bindings = Object.entries(HostConfig?.PortBindings ?? {}) as [string, Binding[]][];
  const ports = bindings.flatMap(([port, hosts]) =>
    hosts.map(({ HostIp, HostPort }) => {
      assert.equal(HostIp, '127.0.0.2');
      return `${HostPort} -> ${port}`.trim();
    }),
  );
  assert.deepEqual(Object.keys(ExposedPorts ?? {}), Object.keys(HostConfig?.PortBindings ?? {}));
  return [HostConfig?.NetworkMode, ...(Hostname === undefined ? [] : [Hostname]), ...ports].join(
    ', ',
  );
}
interface Binding {
  readonly HostIp: string;
  readonly HostPort: string;
}

const tcp = (containerPort: number, hostPort?: number) => ({
  ...{ containerPort, protocol: 'tcp' as const },
  ...(hostPort === undefined ? {} : { hostPort }),
});
const udp = (containerPort: number) => ({ containerPort, protocol: 'udp' as const });

const networks: readonly {
  when: string;
  mode: TaskOrder['networkMode'];
  ports?: ContainerDefinition['portMappings'];
  is: string;
}[] = [
  {
    when: 'awsvpc: the interface and the ports are those of another container',
    mode: 'awsvpc',
    ports: [tcp(80, 80)],
    is: 'container:overcast-0a1b2c3d.pause',
  },
  { when: 'bridge without ports', mode: 'bridge', is: 'bridge' },
  {
    when: 'bridge with a fixed port',
    mode: 'bridge',
    ports: [tcp(80, 8080)],
    is: 'bridge, 8080 -> 80/tcp',
  },
  { when: 'bridge with a dynamic port', mode: 'bridge', ports: [tcp(80)], is: 'bridge, -> 80/tcp' },
  { when: 'bridge with port 0', mode: 'bridge', ports: [tcp(80, 0)], is: 'bridge, -> 80/tcp' },
  {
    when: 'bridge with one port by both protocols',
    mode: 'bridge',
    ports: [tcp(53, 53), udp(53)],
    is: 'bridge, 53 -> 53/tcp, -> 53/udp',
  },
  {
    when: 'bridge with one port at two of the host',
    mode: 'bridge',
    ports: [tcp(80, 8080), tcp(80, 8081)],
    is: 'bridge, 8080 -> 80/tcp, 8081 -> 80/tcp',
  },
  {
    when: 'host: it has the ports of the host already',
    mode: 'host',
    ports: [tcp(80, 80)],
    is: 'host',
  },
  { when: 'none: it has no network', mode: 'none', ports: [tcp(80, 80)], is: 'none' },
];

for (const { when, mode, ports = [], is } of networks) {
  test(`${when}: ${is}`, () => {
    const spec = specOf({ task: { networkMode: mode }, container: { portMappings: ports } });
    assert.equal(network(spec), is);
  });
}

test('awsvpc: one container holds the interface, its name and free ports for all', () => {
  const containers = [
    container('app', { portMappings: [tcp(80, 80), tcp(443)] }),
    container('dns', { portMappings: [udp(53)] }),
  ];
  const spec = pauseSpec(taskOf({ containers }, { publish: '127.0.0.2' }), AROUND);
  assert.equal(network(spec), `bridge, ${TASK.slice(0, 12)}, -> 80/tcp, -> 443/tcp, -> 53/udp`);
  const { name, Image, Cmd, Labels } = spec;
  assert.deepEqual(
    [name, Image, Cmd],
    ['overcast-0a1b2c3d-app', 'overcast-cfn/pause:1', ['/pause']],
  );
  assert.deepEqual(Labels, { 'overcast-cfn.stack': 'demo', 'overcast-cfn.container': '' });
});

const limits: readonly (Asked & { when: string; is: object })[] = [
  { when: 'nothing is said', is: {} },
  {
    when: 'the task has a memory limit',
    task: { memoryMebibytes: 512 },
    is: { Memory: 512 * MIB, MemorySwap: 512 * MIB },
  },
  {
    when: 'the container has its own below it',
    task: { memoryMebibytes: 512 },
    container: { memoryMebibytes: 128 },
    is: { Memory: 128 * MIB, MemorySwap: 128 * MIB },
  },
  {
    when: 'memory is reserved',
    container: { memoryReservationMebibytes: 64 },
    is: { MemoryReservation: 64 * MIB },
  },
  {
    when: 'memory is reserved below a limit',
    container: { memoryMebibytes: 128, memoryReservationMebibytes: 64 },
    is: { Memory: 128 * MIB, MemorySwap: 128 * MIB, MemoryReservation: 64 * MIB },
  },
  {
    when: 'the container has a share of the CPU',
    container: { cpuUnits: 256 },
    is: { CpuShares: 256 },
  },
  {
    when: 'its share is less than the kernel takes',
    container: { cpuUnits: 1 },
    is: { CpuShares: 2 },
  },
  { when: 'its share is null and void', container: { cpuUnits: 0 }, is: {} },
  { when: 'the task has a part of a CPU', task: { cpuUnits: 256 }, is: { NanoCpus: 250_000_000 } },
  {
    when: 'the task has a crooked part of one',
    task: { cpuUnits: 341 },
    is: { NanoCpus: 333_007_813 },
  },
  { when: 'the task has all CPUs', task: { cpuUnits: 2_048 }, is: { NanoCpus: 2_000_000_000 } },
  {
    when: 'the task has more CPUs than the engine',
    task: { cpuUnits: 4_096 },
    is: { NanoCpus: 2_000_000_000 },
  },
  {
    when: 'the task and the container share the CPU',
    task: { cpuUnits: 1_024 },
    container: { cpuUnits: 512 },
    is: { CpuShares: 512, NanoCpus: 1_000_000_000 },
  },
];

for (const { when, is, ...asked } of limits) {
  test(`when ${when}: ${JSON.stringify(is)}`, () => {
    const { NetworkMode, LogConfig, PortBindings, ...rest } = specOf(asked).HostConfig ?? {};
    assert.deepEqual(rest, is);
  });
}

/** Of an image's own settings only those are set that the definition sets. */
const settings: readonly (Asked & { when: string; is: object })[] = [
  { when: 'nothing is said', is: {} },
  { when: 'a command', values: { command: ['serve', '--all'] }, is: { Cmd: ['serve', '--all'] } },
  { when: 'an entry point', values: { entryPoint: ['/run'] }, is: { Entrypoint: ['/run'] } },
  {
    when: 'both',
    values: { entryPoint: ['sh', '-c'], command: ['date'] },
    is: { Entrypoint: ['sh', '-c'], Cmd: ['date'] },
  },
  { when: 'a user', container: { user: '1000:1000' }, is: { User: '1000:1000' } },
  { when: 'a folder', container: { workingDirectory: '/srv' }, is: { WorkingDir: '/srv' } },
];

for (const { when, is, ...asked } of settings) {
  test(`beside its image a container is made with ${when}: ${JSON.stringify(is)}`, () => {
    const { name, Image, Env, Labels, ExposedPorts, HostConfig, ...rest } = specOf(asked);
    assert.deepEqual(rest, is);
  });
}

test('a container has its name, its labels, its values and a log that stays small', () => {
  const secret = { name: 'PASSWORD', valueFrom: 'db' };
  const spec = specOf({
    container: { environment: [{ name: 'A', value: '{{placeholder}}' }], secrets: [secret] },
    values: { image: 'mirror/web:1', environment: ['A=1', 'PASSWORD=hunter2'] },
  });
  assert.equal(spec.name, 'overcast-0a1b2c3d-app');
  assert.equal(spec.Image, 'mirror/web:1');
  assert.deepEqual(spec.Env, ['A=1', 'PASSWORD=hunter2']);
  assert.deepEqual(spec.Labels, {
    'overcast-cfn.stack': 'demo',
    'overcast-cfn.container': 'app',
  });
  const { LogConfig } = spec.HostConfig ?? {};
  assert.deepEqual(LogConfig, {
    Type: 'json-file',
    Config: { 'max-size': '10m', 'max-file': '2' },
  });
});
