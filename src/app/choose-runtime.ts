import { isObject, type JsonValue, UserError } from '../base/index.ts';
import type { StackModel } from '../language/index.ts';
import { probe } from '../runtime/docker/index.ts';
import type { RuntimeKind } from '../world/index.ts';
import type { SettledDeploy } from './use-cases.ts';

/** Where tasks run, and the one fact that decided it. */
export interface Choice {
  readonly kind: RuntimeKind;
  readonly why: string;
}

/** What a stack asks of a runtime. */
export interface Wanted {
  readonly stackName: string;
  readonly model: StackModel;
}

/** `docs/cli-contract.md`, "Which runtime": what the command says, else what the images allow. */
export async function chooseRuntime(
  request: SettledDeploy,
  wanted: readonly Wanted[],
): Promise<Choice> {
  if (request.scenario !== undefined) return { kind: 'simulation', why: 'a scenario is given' };
  if (request.runtime === 'simulation') return { kind: 'simulation', why: 'asked for' };
  if (request.runtime === 'docker') return { kind: 'docker', why: await askedForDocker() };
  const images: string[] = [];
  for (const image of wanted.flatMap(({ model }) => imagesOf(model))) {
    if ('unknown' in image) return { kind: 'simulation', why: image.unknown };
    images.push(request.images[image.reference] ?? image.reference);
  }
  if (images.length === 0) return { kind: 'simulation', why: 'no service runs an image' };
  const found = await probe(process.env, images);
  if (!found.usable) return { kind: 'simulation', why: found.why };
  return { kind: 'docker', why: imagesText(found.here.length, found.toPull) };
}

/** @throws UserError `EngineUnavailable` before anything changes */
async function askedForDocker(): Promise<string> {
  const found = await probe(process.env, []);
  if (found.usable) return 'asked for';
  throw new UserError('EngineUnavailable', found.why, { hint: found.hint });
}

function imagesText(here: number, toPull: readonly string[]): string {
  if (toPull.length === 0) return here === 1 ? 'its image is here' : 'every image is here';
  const pulled = `${toPull.join(', ')} can be pulled`;
  return here === 0
    ? pulled
    : `${here === 1 ? '1 image is' : `${here} images are`} here, ${pulled}`;
}

type Image = { readonly reference: string } | { readonly unknown: string };

/** Images of the task definitions that the stack's services run. */
export function imagesOf({ resources }: StackModel): readonly Image[] {
  const images: Image[] = [];
  for (const { type, properties, logicalId } of Object.values(resources)) {
    if (type !== 'AWS::ECS::Service') continue;
    const named = properties['TaskDefinition'];
    const { Ref: ref, 'Fn::GetAtt': attribute } = isObject(named) ? named : {};
    const id = ref ?? (Array.isArray(attribute) ? attribute[0] : undefined);
    const definition = typeof id === 'string' ? resources[id] : undefined;
    if (definition?.type !== 'AWS::ECS::TaskDefinition') {
      images.push({ unknown: `the task definition of ${logicalId} lies outside the template` });
    } else {
      images.push(...imagesIn(definition.properties['ContainerDefinitions'], definition.logicalId));
    }
  }
  return images;
}

function imagesIn(containers: JsonValue | undefined, logicalId: string): readonly Image[] {
  if (!Array.isArray(containers)) return [];
  return containers.map((container) => {
    const reference = isObject(container) ? container['Image'] : undefined;
    const known = typeof reference === 'string' && !reference.includes('{{resolve:');
    return known
      ? { reference }
      : { unknown: `an image of ${logicalId} is known only once it runs` };
  });
}
