/** A primitive that may not be confused with others of its kind. */
export type Brand<Base, Name extends string> = Base & { readonly __brand: Name };

export type StackId = Brand<string, 'StackId'>; // arn:aws:cloudformation:…:stack/<name>/<uuid>
export type OperationId = Brand<string, 'OperationId'>; // uuid of one create, update or delete run
export type LogicalId = string; // name of a resource in its template
export type ClusterArn = Brand<string, 'ClusterArn'>;
export type ServiceArn = Brand<string, 'ServiceArn'>;
export type TaskDefinitionArn = Brand<string, 'TaskDefinitionArn'>; // with its revision
export type DeploymentId = Brand<string, 'DeploymentId'>; // ecs-svc/1234567890123456789
export type TaskId = Brand<string, 'TaskId'>; // 32 hex digits, the tail of the task ARN

/** Where an account's things live: one region of one account. */
export interface Place {
  readonly accountId: string; // 12 digits
  readonly region: string; // us-east-1
}

/** The key of a place in a world: `000000000000/us-east-1`. */
export type PlaceKey = Brand<string, 'PlaceKey'>;

export function placeKey({ accountId, region }: Place): PlaceKey {
  return `${accountId}/${region}` as PlaceKey;
}

/** Partition of a region: `aws`, `aws-cn` or `aws-us-gov`. */
export function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}

/** Domain suffix of a region's endpoints. */
export function urlSuffixOf(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
}

/** `web` of `arn:…:service/shop/web`, and of `web` itself: what comes after the last slash. */
export function nameIn(arnOrName: string): string {
  return arnOrName.slice(arnOrName.lastIndexOf('/') + 1);
}

/** `arn:<partition>:<service>:<region>:<account>:<resource>`. */
export function arnOf(service: string, { accountId, region }: Place, resource: string): string {
  return `arn:${partitionOf(region)}:${service}:${region}:${accountId}:${resource}`;
}
