import type { ImageBehaviour, Scenario } from './scenario.ts';

/** Nothing said: the pull succeeds and the program runs for ever. */
const DEFAULT_BEHAVIOUR: ImageBehaviour = { output: [] };

/**
 * How an image behaves in a scenario, and whether an entry of the scenario speaks of it.
 *
 * A reference that is written out wins over every pattern, of several patterns the longest (of
 * equally long ones the first). `*` stands for any characters, `/` and none included.
 */
export function behaviourOf(
  scenario: Scenario | undefined,
  image: string,
): { readonly behaviour: ImageBehaviour; readonly named: boolean } {
  const images = scenario?.images ?? {};
  const exact = Object.hasOwn(images, image) ? images[image] : undefined;
  if (exact !== undefined) return { behaviour: exact, named: true };
  let best: string | undefined;
  for (const pattern of Object.keys(images)) {
    if (best !== undefined && pattern.length <= best.length) continue;
    if (matches(pattern, image)) best = pattern;
  }
  const behaviour = best === undefined ? undefined : images[best];
  return { behaviour: behaviour ?? DEFAULT_BEHAVIOUR, named: behaviour !== undefined };
}

/** Takes every piece between stars at its first place, which finds a match if there is one. */
function matches(pattern: string, image: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return pattern === image;
  if (!image.startsWith(head)) return false;
  let from = head.length;
  for (const piece of rest) {
    const at = image.indexOf(piece, from);
    if (at === -1) return false;
    from = at + piece.length;
  }
  return image.length - tail.length >= from && image.endsWith(tail);
}
