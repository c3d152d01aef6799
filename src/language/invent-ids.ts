import {
  ALPHANUMERIC,
  HEX,
  nextText,
  nextUuid,
  type Place,
  partitionOf,
  seedRandom,
} from '../base/index.ts';

/** `vpc-0` and 16 hex digits: 17 in all, derived from the name alone. */
export function resourceId(prefix: string, name: string): string {
  return `${prefix}-0${nextText(seedRandom(`${prefix} ${name}`), 16, HEX)}`;
}

/** `Z` and 13 capital letters and digits. */
export function hostedZoneId(name: string): string {
  return `Z${nextText(seedRandom(`zone ${name}`), 13, ALPHANUMERIC.slice(0, 26) + ALPHANUMERIC.slice(52))}`;
}

/** `MyImageTag` as `my-image-tag`; a long name is cut, and told apart by eight hex digits. */
export function kebab(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();
  if (words === '') return 'value';
  if (words.length <= WORDS_MAX) return words;
  return `${words.slice(0, WORDS_MAX - 9)}-${nextText(seedRandom(name), 8, HEX)}`;
}

/** Short enough for a bucket or a target group with something around it. */
const WORDS_MAX = 32;

/** Shapes of ARNs by what the property or parameter is called; the first that fits. */
const ARNS: readonly (readonly [RegExp, (own: ArnParts) => string])[] = [
  [/role/i, ({ account, name }) => `iam::${account}:role/${name}`],
  [/polic(y|ies)|boundary/i, ({ account, name }) => `iam::${account}:policy/${name}`],
  [/instanceprofile/i, ({ account, name }) => `iam::${account}:instance-profile/${name}`],
  [/cert/i, ({ here, uuid }) => `acm:${here}:certificate/${uuid}`],
  [
    /targetgroup/i,
    ({ here, name, hex }) => `elasticloadbalancing:${here}:targetgroup/${name}/${hex}`,
  ],
  [
    /listener/i,
    ({ here, name, hex }) => `elasticloadbalancing:${here}:listener/app/${name}/${hex}/${hex}`,
  ],
  [
    /loadbalancer|[ae]lb/i,
    ({ here, name, hex }) => `elasticloadbalancing:${here}:loadbalancer/app/${name}/${hex}`,
  ],
  [/topic|sns/i, ({ here, name }) => `sns:${here}:${name}`],
  [/queue|sqs/i, ({ here, name }) => `sqs:${here}:${name}`],
  [/cluster/i, ({ here, name }) => `ecs:${here}:cluster/${name}`],
  [/taskdef/i, ({ here, name }) => `ecs:${here}:task-definition/${name}:1`],
  [
    /secret|password|credential/i,
    ({ here, name }) => `secretsmanager:${here}:secret:${name}-AbCdEf`,
  ],
  [/kms|key/i, ({ here, uuid }) => `kms:${here}:key/${uuid}`],
  [/bucket|s3/i, ({ name }) => `s3:::${name}`],
  [/function|lambda|servicetoken/i, ({ here, name }) => `lambda:${here}:function:${name}`],
  [/repo/i, ({ here, name }) => `ecr:${here}:repository/${name}`],
  [/loggroup/i, ({ here, name }) => `logs:${here}:log-group:${name}`],
  [/table/i, ({ here, name }) => `dynamodb:${here}:table/${name}`],
  [/stream/i, ({ here, name }) => `kinesis:${here}:stream/${name}`],
  [/namespace/i, ({ here, name }) => `servicediscovery:${here}:namespace/ns-${name}`],
];

interface ArnParts {
  readonly account: string;
  readonly here: string; // region and account
  readonly name: string;
  readonly hex: string; // 16 digits
  readonly uuid: string;
}

/** An ARN that fits where it is used; of a role where nothing tells. */
export function inventedArn(hints: readonly string[], name: string, place: Place): string {
  const random = seedRandom(`arn ${name}`);
  const own: ArnParts = {
    account: place.accountId,
    here: `${place.region}:${place.accountId}`,
    name: kebab(name),
    hex: nextText(random, 16, HEX),
    uuid: nextUuid(random),
  };
  const partition = partitionOf(place.region);
  for (const hint of hints) {
    const shape = ARNS.find(([called]) => called.test(hint));
    if (shape !== undefined) return `arn:${partition}:${shape[1](own)}`;
  }
  return `arn:${partition}:iam::${own.account}:role/${own.name}`;
}
