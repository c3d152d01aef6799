// The app of cdk.test.ts: a balanced web service, and a queue worker that runs in its cluster.
import { App, Stack } from 'aws-cdk-lib';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import {
  Cluster,
  ContainerImage,
  FargateService,
  FargateTaskDefinition,
} from 'aws-cdk-lib/aws-ecs';
import { ApplicationLoadBalancedFargateService } from 'aws-cdk-lib/aws-ecs-patterns';
import { Queue } from 'aws-cdk-lib/aws-sqs';

const app = new App();
const web = new Stack(app, 'Web');
const cluster = new Cluster(web, 'Cluster', { vpc: new Vpc(web, 'Vpc', { maxAzs: 2 }) });
new ApplicationLoadBalancedFargateService(web, 'Service', {
  cluster,
  taskImageOptions: { image: ContainerImage.fromRegistry('nginx:1.27') },
  desiredCount: 2,
  circuitBreaker: { rollback: true },
});

// Listed before the stack it imports from: deployed after it all the same.
const jobs = new Stack(app, 'Jobs');
const queue = new Queue(jobs, 'Queue');
const taskDefinition = new FargateTaskDefinition(jobs, 'Task');
taskDefinition.addContainer('worker', {
  image: ContainerImage.fromRegistry('registry.example.com/jobs/worker:1'),
  environment: { QUEUE_URL: queue.queueUrl },
});
queue.grantConsumeMessages(taskDefinition.taskRole);
new FargateService(jobs, 'Worker', { cluster, taskDefinition, minHealthyPercent: 100 });

app.synth();
