import { join } from 'node:path';
import type { Path } from '../base/index.ts';
import type { Assets } from './assets.ts';
import {
  type JsonDocument,
  keysAt,
  lengthAt,
  requiredTextAt,
  textAt,
  textMapAt,
} from './document.ts';
import type { FileAsset, ImageAsset } from './model.ts';

/** What the metadata of a stack artifact says that newer assemblies say elsewhere. */
export interface LegacyMetadata extends Assets {
  /** Values for the parameters by which a template of the legacy synthesizer asks for files. */
  readonly assetParameters: { readonly [name: string]: string };
  readonly tags: { readonly [key: string]: string };
}

/** Where the CDK's first bootstrap stack keeps assets; the rest of the bucket's name was random. */
const STAGING_BUCKET = 'cdktoolkit-stagingbucket';

/** Reads assets of the legacy synthesizer (K13), and tags, from a stack artifact's metadata. */
export function legacyMetadata(
  manifest: JsonDocument,
  artifact: Path,
  folder: string,
): LegacyMetadata {
  const files: { [objectKey: string]: FileAsset } = {};
  const images: { [imageTag: string]: ImageAsset } = {};
  const assetParameters: { [name: string]: string } = {};
  const tags: { [key: string]: string } = {};
  for (const entry of entriesOf(manifest, [...artifact, 'metadata'])) {
    const data = [...entry, 'data'];
    const type = textAt(manifest, [...entry, 'type']);
    if (type === 'aws:cdk:stack-tags') Object.assign(tags, tagsAt(manifest, data));
    if (type !== 'aws:cdk:asset') continue;
    const packaging = textAt(manifest, [...data, 'packaging']);
    if (packaging === 'container-image') Object.assign(images, imageAt(manifest, data, folder));
    if (packaging !== 'file' && packaging !== 'zip') continue;
    const { objectKey, asset, values } = fileAt(manifest, data, folder, packaging);
    files[objectKey] = asset;
    Object.assign(assetParameters, values);
  }
  return { files, images, assetParameters, tags };
}

function entriesOf(manifest: JsonDocument, metadata: Path): readonly Path[] {
  return keysAt(manifest, metadata).flatMap((construct) => {
    const path = [...metadata, construct];
    return Array.from({ length: lengthAt(manifest, path) }, (_, index) => [...path, index]);
  });
}

/** Written `{key, value}`, and by early versions `{Key, Value}`. */
function tagsAt(manifest: JsonDocument, list: Path): { [key: string]: string } {
  const indexes = Array.from({ length: lengthAt(manifest, list) }, (_, index) => index);
  const either = (index: number, one: string, other: string) =>
    textAt(manifest, [...list, index, one]) ?? textAt(manifest, [...list, index, other]) ?? '';
  const entries = indexes.map((index) => [
    either(index, 'key', 'Key'),
    either(index, 'value', 'Value'),
  ]);
  return Object.fromEntries(entries);
}

function fileAt(
  manifest: JsonDocument,
  data: Path,
  folder: string,
  packaging: FileAsset['packaging'],
) {
  const path = requiredTextAt(manifest, [...data, 'path']);
  const hash = requiredTextAt(manifest, [...data, 'sourceHash']);
  const extension = packaging === 'zip' ? '.zip' : (/\.\w+$/.exec(path)?.[0] ?? '');
  const values: { [name: string]: string } = {};
  const fill = (key: string, value: string) => {
    const name = textAt(manifest, [...data, key]);
    if (name !== undefined) values[name] = value;
  };
  fill('s3BucketParameter', STAGING_BUCKET);
  fill('s3KeyParameter', `assets/||${hash}${extension}`); // templates join the two halves
  fill('artifactHashParameter', hash);
  const asset: FileAsset = { hash, path: join(folder, path), packaging };
  return { objectKey: `assets/${hash}${extension}`, asset, values };
}

function imageAt(
  manifest: JsonDocument,
  data: Path,
  folder: string,
): { [tag: string]: ImageAsset } {
  const hash = requiredTextAt(manifest, [...data, 'sourceHash']);
  const target = textAt(manifest, [...data, 'target']);
  const platform = textAt(manifest, [...data, 'platform']);
  const asset: ImageAsset = {
    hash,
    repositoryName: textAt(manifest, [...data, 'repositoryName']) ?? 'aws-cdk/assets',
    directory: join(folder, requiredTextAt(manifest, [...data, 'path'])),
    dockerFile: textAt(manifest, [...data, 'file']) ?? 'Dockerfile',
    ...(target !== undefined && { target }),
    buildArgs: textMapAt(manifest, [...data, 'buildArgs']),
    ...(platform !== undefined && { platform }),
  };
  return { [textAt(manifest, [...data, 'imageTag']) ?? hash]: asset };
}
