import assert from 'node:assert/strict';
import {
  type DeploymentState,
  live,
  type ServiceState,
  serving,
  type TaskState,
  unstopped,
} from '../../src/aws/ecs/model.ts';
import { deploymentOf } from '../../src/aws/ecs/state.ts';
import { present, type ServiceArn } from '../../src/base/index.ts';
import type { World } from '../../src/world/index.ts';
import { serviceState, tasksOf, type Watch } from './ecs-world.ts';
import { fewestTasks, mostTasks, naiveBreaker } from './naive.ts';

/** Checks at every instant what a rolling update promises never to do. */
export function watchRollout(world: World, arn: ServiceArn): Watch {
  const service = () => serviceState(world, arn);
  const breaker = naiveBreaker(service);
  const edges = watchEdges(service);
  const ceiling = watchCeiling(world, arn);
  return {
    started(task) {
      mayStart(service(), task);
      edges.disturb();
    },
    stopped(task) {
      if (task.stop?.code === 'ServiceSchedulerInitiated') mayStop(service(), task);
      breaker.stopped(task);
      edges.disturb();
    },
    observed: breaker.observed,
    round() {
      ceiling();
      breaker.look();
      edges.look();
    },
  };
}

function mayStart(service: ServiceState, task: TaskState): void {
  const deployment = ownerOf(service, task);
  assert.notEqual(deployment.rolloutState, 'FAILED', 'a FAILED deployment places nothing (4.19)');
  assert.equal(deployment.status, 'PRIMARY', 'only the newest deployment places tasks (i)');
  const most = mostTasks(service.desiredCount, service.configuration.maximumPercent);
  assert(notStopped(service) <= most, 'a start keeps below the ceiling (3.1, 3.3)');
}

/** 3.2, 3.4: right after a deliberate stop enough tasks serve. */
function mayStop(service: ServiceState, task: TaskState): void {
  const owner = ownerOf(service, task);
  const current = present(service.deployments[0], 'there is a PRIMARY deployment').counts;
  if (owner.status === 'PRIMARY') {
    if (task.stop?.isFailure === true) return; // its checks failed
    assert(live(current) >= service.desiredCount, 'a scale-in stops at the desired count');
    return;
  }
  if (task.startedAtMs === null || task.stop?.isFailure === true) return; // it did not serve
  const outdated = service.deployments.slice(1);
  const old = outdated.reduce((sum, { counts }) => sum + serving(counts), 0);
  const fewest = fewestTasks(service.desiredCount, service.configuration.minimumHealthyPercent);
  assert(old + current.counting >= fewest, 'a stop keeps above the floor (3.2, 3.4)');
}

/** The ceiling holds at every instant from the moment it has been kept. */
function watchCeiling(world: World, arn: ServiceArn): () => void {
  let before = {
    desiredCount: serviceState(world, arn).desiredCount,
    tasks: tasksOf(world, arn).length,
  };
  return () => {
    const service = serviceState(world, arn);
    const activeMax = mostTasks(service.desiredCount, service.configuration.maximumPercent);
    const { length: tasks } = tasksOf(world, arn);
    const lowered = service.desiredCount < before.desiredCount || before.tasks > activeMax;
    assert(tasks <= activeMax || (lowered && tasks <= before.tasks), 'never above the ceiling');
    assert.equal(tasks, notStopped(service), 'the counts are those of the tasks');
    before = { desiredCount: service.desiredCount, tasks };
  };
}

/** 10.16, fine print f: a steady state is said on its edge, and once. */
function watchEdges(service: () => ServiceState) {
  let [edges, desiredCount] = [service().steadyEdges, service().desiredCount];
  let deployment = service().deployments[0]?.id;
  let disturbed = true;
  return {
    disturb() {
      disturbed = true;
    },
    look() {
      const now = service();
      const primary = now.deployments[0];
      const isOther = primary?.id !== deployment || now.desiredCount !== desiredCount;
      const counted = now.deployments.length === 1 && primary?.counts.counting === now.desiredCount;
      if (isOther || !counted) disturbed = true;
      [deployment, desiredCount] = [primary?.id, now.desiredCount];
      if (now.steadyEdges === edges) return;
      assert.equal(now.steadyEdges, edges + 1);
      assert(disturbed, 'nothing happened since the last steady state');
      assert(counted, 'a steady state is one deployment with its desired count (2.9)');
      assert.match(now.events.at(-1)?.message ?? '', /has reached a steady state\.$/);
      edges = now.steadyEdges;
      disturbed = false;
    },
  };
}

function ownerOf(service: ServiceState, { deployment }: TaskState): DeploymentState {
  return deploymentOf(service, present(deployment, 'a task of the service has a deployment'));
}

function notStopped({ deployments }: ServiceState): number {
  return deployments.reduce((sum, { counts }) => sum + unstopped(counts), 0);
}
