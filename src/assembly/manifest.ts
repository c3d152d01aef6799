import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../base/index.ts';
import {
  invalidAt,
  type JsonDocument,
  keysAt,
  lengthAt,
  readDocument,
  requiredTextAt,
  textAt,
  textsAt,
} from './document.ts';
import type { MissingContext } from './model.ts';

/** One `manifest.json` (K1) and those of the assemblies nested in it. */
export interface Manifest {
  readonly document: JsonDocument;
  readonly folder: string;
  readonly artifacts: readonly Artifact[]; // in the order of the file
  readonly missing: readonly MissingContext[];
}

/** What all artifacts have in common; artifacts of types that deploy nothing only order others. */
export interface Artifact {
  readonly id: string;
  readonly type: string;
  readonly dependencies: readonly string[];
  /** Of `cdk:cloud-assembly` (K2). */
  readonly nested?: Manifest;
}

/** The newest schema known to this version is 55; they grow by about ten a year. */
const SCHEMA_REVISION_MAX = 155;

export function readManifest(folder: string, within: readonly string[] = []): Manifest {
  const file = join(folder, 'manifest.json');
  const document = readDocument(file);
  if (document === undefined) throw noManifest(folder);
  checkVersion(document);
  checkValidationReport(folder);
  const above = [...within, resolve(folder)];
  const artifacts = keysAt(document, ['artifacts']).map((id) =>
    readArtifact(document, folder, id, above),
  );
  return { document, folder, artifacts, missing: missingOf(document) };
}

function noManifest(folder: string): UserError {
  const [says, hint] = existsSync(folder)
    ? [
        'holds no manifest.json, so it is no cloud assembly',
        'give the folder that `cdk synth` writes, usually cdk.out',
      ]
    : ['does not exist', 'run `cdk synth` first; it usually writes the folder cdk.out'];
  return new UserError('InvalidAssembly', `${folder} ${says}`, { hint });
}

/** Unknown fields and newer schemas are tolerated (K1), but not a schema from another age. */
function checkVersion(document: JsonDocument): void {
  const version = requiredTextAt(document, ['version']);
  const revision = /^(\d+)\.\d+\.\d+$/.exec(version)?.[1];
  if (revision === undefined) {
    throw invalidAt(document, ['version'], `must be like 54.0.0, and is "${version}"`);
  }
  if (Number(revision) <= SCHEMA_REVISION_MAX) return;
  const says = `is ${version}, a schema that this version of overcast-cfn cannot know`;
  throw invalidAt(
    document,
    ['version'],
    says,
    'update overcast-cfn, or synthesise with an older CDK',
  );
}

/** What plugins found while synthesising is the CDK's to tell; a report that is none is damage. */
function checkValidationReport(folder: string): void {
  const report = readDocument(join(folder, 'validation-report.json'));
  if (report === undefined) return;
  if (!Object.hasOwn(report.body, 'pluginReports')) {
    throw invalidAt(report, [], 'has no "pluginReports", so it is no validation report');
  }
  lengthAt(report, ['pluginReports']);
}

function readArtifact(
  document: JsonDocument,
  folder: string,
  id: string,
  above: readonly string[],
): Artifact {
  const path = ['artifacts', id];
  const type = requiredTextAt(document, [...path, 'type']);
  const dependencies = textsAt(document, [...path, 'dependencies']);
  if (type !== 'cdk:cloud-assembly') return { id, type, dependencies };
  const place = [...path, 'properties', 'directoryName'];
  const nested = join(folder, requiredTextAt(document, place));
  if (above.includes(resolve(nested))) throw invalidAt(document, place, 'lies within itself');
  return { id, type, dependencies, nested: readManifest(nested, above) };
}

function missingOf(document: JsonDocument): readonly MissingContext[] {
  const indexes = Array.from({ length: lengthAt(document, ['missing']) }, (_, index) => index);
  return indexes.map((index) => ({
    key: requiredTextAt(document, ['missing', index, 'key']),
    provider: textAt(document, ['missing', index, 'provider']) ?? '',
  }));
}
