import { join } from 'node:path';
import type { Path } from '../base/index.ts';
import {
  invalidAt,
  type JsonDocument,
  keysAt,
  requiredTextAt,
  textAt,
  textMapAt,
} from './document.ts';
import type { FileAsset, ImageAsset } from './model.ts';

/** The assets of one stack, by the names under which its template asks for them. */
export interface Assets {
  readonly files: { readonly [objectKey: string]: FileAsset };
  readonly images: { readonly [imageTag: string]: ImageAsset };
}

/** Reads an asset manifest, `<Stack>.assets.json` (K6); paths in it start at its own `folder`. */
export function assetsOf(document: JsonDocument, folder: string): Assets {
  const files: { [objectKey: string]: FileAsset } = {};
  for (const hash of keysAt(document, ['files'])) {
    const asset = fileAsset(document, folder, hash);
    for (const destination of destinationsOf(document, ['files', hash])) {
      files[requiredTextAt(document, [...destination, 'objectKey'])] = asset;
    }
  }
  const images: { [imageTag: string]: ImageAsset } = {};
  for (const hash of keysAt(document, ['dockerImages'])) {
    for (const destination of destinationsOf(document, ['dockerImages', hash])) {
      const repositoryName = requiredTextAt(document, [...destination, 'repositoryName']);
      const imageTag = requiredTextAt(document, [...destination, 'imageTag']);
      images[imageTag] = { ...imageSource(document, folder, hash), hash, repositoryName };
    }
  }
  return { files, images };
}

function destinationsOf(document: JsonDocument, asset: Path): readonly Path[] {
  const path = [...asset, 'destinations'];
  return keysAt(document, path).map((key) => [...path, key]);
}

function fileAsset(document: JsonDocument, folder: string, hash: string): FileAsset {
  const source = ['files', hash, 'source'];
  const packaging = textAt(document, [...source, 'packaging']) ?? 'file';
  if (packaging !== 'file' && packaging !== 'zip') {
    throw invalidAt(document, [...source, 'packaging'], 'must be "file" or "zip"');
  }
  const path = eitherAt(document, source, 'path');
  return { hash, packaging, ...(path !== undefined && { path: join(folder, path) }) };
}

function imageSource(
  document: JsonDocument,
  folder: string,
  hash: string,
): Omit<ImageAsset, 'hash' | 'repositoryName'> {
  const source = ['dockerImages', hash, 'source'];
  const directory = eitherAt(document, source, 'directory');
  const target = textAt(document, [...source, 'dockerBuildTarget']);
  const platform = textAt(document, [...source, 'platform']);
  return {
    ...(directory !== undefined && { directory: join(folder, directory) }),
    dockerFile: textAt(document, [...source, 'dockerFile']) ?? 'Dockerfile',
    ...(target !== undefined && { target }),
    buildArgs: textMapAt(document, [...source, 'dockerBuildArgs']),
    ...(platform !== undefined && { platform }),
  };
}

/** A source is a place, or a program to run: exactly one of them (K6). */
function eitherAt(document: JsonDocument, source: Path, place: string): string | undefined {
  const found = textAt(document, [...source, place]);
  const hasProgram = keysAt(document, source).includes('executable');
  if ((found === undefined) === hasProgram) return found;
  throw invalidAt(document, source, `must have either "${place}" or "executable"`);
}
