import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Path, UserError } from '../base/index.ts';
import { type Assets, assetsOf } from './assets.ts';
import {
  invalidAt,
  type JsonDocument,
  readDocument,
  requiredTextAt,
  textAt,
  textMapAt,
} from './document.ts';
import { legacyMetadata } from './legacy-assets.ts';
import { type Manifest, readManifest } from './manifest.ts';
import type { Assembly, MissingContext, StackArtifact } from './model.ts';
import { type PlacedStack, stacksInOrder } from './order.ts';

/**
 * Reads a CDK cloud assembly: its manifest, the assemblies nested in it, its asset manifests.
 *
 * @param folder - as the user gave it; all paths in the answer begin with it
 * @throws UserError `InvalidAssembly` where the folder is none, or something in it cannot be used
 */
export function openAssembly(folder: string): Assembly {
  const root = readManifest(folder);
  const notes: string[] = [];
  const stacks = stacksInOrder(root).map((placed) => stackArtifact(placed, notes));
  if (stacks.length === 0) throw noStacks(root.document);
  return { folder, stacks, missing: missingIn(root), notes };
}

function noStacks(document: JsonDocument): UserError {
  return invalidAt(document, [], 'names no stack', 'add a stack to the app and run `cdk synth`');
}

function missingIn(root: Manifest): readonly MissingContext[] {
  const byKey = new Map<string, MissingContext>();
  const visit = ({ missing, artifacts }: Manifest) => {
    for (const context of missing) byKey.set(context.key, context);
    for (const { nested } of artifacts) if (nested !== undefined) visit(nested);
  };
  visit(root);
  return [...byKey.values()];
}

function stackArtifact(
  { id, manifest, dependencies }: PlacedStack,
  notes: string[],
): StackArtifact {
  const { document, folder } = manifest;
  const artifact = ['artifacts', id];
  const properties = [...artifact, 'properties'];
  const legacy = legacyMetadata(document, artifact, folder);
  const assets = assetManifests(id, manifest, notes);
  return {
    id,
    stackName: textAt(document, [...properties, 'stackName']) ?? id,
    displayName: textAt(document, [...artifact, 'displayName']) ?? id,
    templateFile: templateFile(document, properties, folder),
    parameters: textMapAt(document, [...properties, 'parameters']),
    assetParameters: legacy.assetParameters,
    tags: { ...legacy.tags, ...textMapAt(document, [...properties, 'tags']) },
    ...environment(document, [...artifact, 'environment']),
    dependencies,
    files: Object.assign({}, legacy.files, ...assets.map(({ files }) => files)),
    images: Object.assign({}, legacy.images, ...assets.map(({ images }) => images)),
  };
}

function templateFile(document: JsonDocument, properties: Path, folder: string): string {
  const path = [...properties, 'templateFile'];
  const file = join(folder, requiredTextAt(document, path));
  if (existsSync(file)) return file;
  throw invalidAt(document, path, `names ${file}, and there is no such file`);
}

/** `aws://<account>/<region>`; either may be left open (K5). */
function environment(
  document: JsonDocument,
  path: Path,
): { readonly account?: string; readonly region?: string } {
  const text = textAt(document, path);
  if (text === undefined) return {};
  const [, account, region] = /^aws:\/\/([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (account === undefined || region === undefined) {
    throw invalidAt(document, path, `must be like aws://111122223333/eu-west-1, and is "${text}"`);
  }
  return {
    ...(account !== 'unknown-account' && { account }),
    ...(region !== 'unknown-region' && { region }),
  };
}

/** A stack waits for its asset manifest (K4); early versions wrote `<id>.assets` beside it only. */
function assetManifests(id: string, { document, folder, artifacts }: Manifest, notes: string[]) {
  const own = artifacts.find((artifact) => artifact.id === id)?.dependencies ?? [];
  const ids = new Set([...own, `${id}.assets`]);
  const found = artifacts.filter(
    (other) => ids.has(other.id) && other.type === 'cdk:asset-manifest',
  );
  return found.flatMap((artifact): readonly Assets[] => {
    const name = requiredTextAt(document, ['artifacts', artifact.id, 'properties', 'file']);
    const file = join(folder, name);
    const assets = readDocument(file);
    if (assets !== undefined) return [assetsOf(assets, folder)];
    notes.push(`${file} is not there: the files and images of ${id} are not known`);
    return [];
  });
}
