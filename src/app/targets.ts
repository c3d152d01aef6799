import { readFileSync, statSync } from 'node:fs';
import { basename, extname, relative } from 'node:path';
import { openAssembly, type StackArtifact, selectStacks } from '../assembly/index.ts';
import { isObject, type JsonValue, type Place, UserError } from '../base/index.ts';
import { parseScenario, type Scenario } from '../scenario/index.ts';
import { parseTemplate, type Template } from '../template/index.ts';
import type { Progress } from './use-cases.ts';

/** One stack that a command is asked for: a template and what it is deployed with. */
export interface StackTarget {
  readonly stackName: string;
  readonly place: Place;
  readonly template: Template;
  readonly parameters: { readonly [name: string]: string };
  readonly tags: { readonly [key: string]: string };
  /** Capabilities count as given, as `cdk deploy` gives them. */
  readonly fromAssembly: boolean;
}

export interface TargetOptions {
  readonly target: string;
  readonly standardInput?: string;
  readonly stacks: readonly string[];
  readonly stackName?: string;
  readonly region?: string;
  readonly account?: string;
  readonly parameterOverrides: { readonly [name: string]: string };
  readonly parametersFile?: string;
  readonly tags?: { readonly [key: string]: string };
}

export interface Targets {
  readonly stacks: readonly StackTarget[];
  readonly notes: readonly string[];
}

const DEFAULT_PLACE: Place = { accountId: '000000000000', region: 'us-east-1' };
const STACK_NAME = /^[a-zA-Z][-a-zA-Z0-9]{0,127}$/;

/**
 * The stacks a target means, in the order they are to be deployed.
 *
 * @throws UserError for a target, parameters file or template that cannot be used
 */
export function openTargets(options: TargetOptions, scenario: Scenario | undefined): Targets {
  const place = placeFrom(options, scenario);
  const parameters = {
    ...scenario?.parameters,
    ...readParameters(options.parametersFile),
    ...options.parameterOverrides,
  };
  if (isFolder(options.target)) return assemblyTargets(options, place, parameters);
  if (options.stacks.length > 0) {
    throw new UserError(
      'InvalidOption',
      `${options.target} is one template: it has no stacks to choose`,
      {
        hint: `leave out ${options.stacks.join(' ')}, or name the folder of a CDK cloud assembly`,
      },
    );
  }
  const template = readTemplate(options);
  const stackName = options.stackName ?? nameFrom(options.target);
  checkStackName(stackName);
  const tags = options.tags ?? {};
  const stack = { stackName, place, template, parameters, tags, fromAssembly: false };
  return { stacks: [stack], notes: [] };
}

/** The place a command works in: its options are stronger than the scenario. */
export function placeFrom(
  { account, region }: { readonly account?: string; readonly region?: string },
  scenario?: Scenario,
): Place {
  return {
    accountId: account ?? scenario?.account ?? DEFAULT_PLACE.accountId,
    region: region ?? scenario?.region ?? DEFAULT_PLACE.region,
  };
}

function assemblyTargets(
  options: TargetOptions,
  place: Place,
  parameters: StackTarget['parameters'],
): Targets {
  const assembly = openAssembly(options.target);
  const chosen = selectStacks(assembly, options.stacks);
  if (options.stackName !== undefined) {
    throw new UserError('InvalidOption', '--stack-name does not go with a cloud assembly', {
      hint: 'the stacks of an assembly have names of their own; choose among them after the folder',
    });
  }
  const notes = [...assembly.notes];
  const stacks = chosen.flatMap((artifact) => {
    const stack = assemblyTarget(artifact, place, parameters, options.tags ?? {});
    if (hasResources(stack.template)) return [stack];
    notes.push(`stack ${artifact.stackName} has no resources and is left out`);
    return [];
  });
  return { stacks, notes };
}

/** Its own environment where the app fixed one; parameters only where the template declares them. */
function assemblyTarget(
  artifact: StackArtifact,
  place: Place,
  given: StackTarget['parameters'],
  tags: StackTarget['tags'],
): StackTarget {
  const { stackName, templateFile } = artifact;
  const template = parseTemplate(readText(templateFile), shownPath(templateFile));
  const declared = template.body['Parameters'];
  const names = isObject(declared) ? Object.keys(declared) : [];
  const all = { ...artifact.assetParameters, ...artifact.parameters, ...given };
  const parameters = Object.fromEntries(
    Object.entries(all).filter(([name]) => names.includes(name)),
  );
  return {
    stackName,
    place: {
      accountId: artifact.account ?? place.accountId,
      region: artifact.region ?? place.region,
    },
    template,
    parameters,
    tags: { ...artifact.tags, ...tags },
    fromAssembly: true,
  };
}

function hasResources({ body }: Template): boolean {
  const resources = body['Resources'] ?? {};
  return !isObject(resources) || Object.keys(resources).length > 0; // `docs/decisions.md` 27
}

function isFolder(target: string): boolean {
  return statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
}

function readTemplate({ target, standardInput }: TargetOptions): Template {
  if (target === '-') return parseTemplate(standardInput ?? '', 'standard input');
  return parseTemplate(readText(target), shownPath(target));
}

/** Paths in a result are relative to the current folder (`docs/decisions.md` 21). */
function shownPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UserError('InvalidTarget', `${file} cannot be read: ${reasonOf(cause)}`, {
      hint: 'name a template file (.yml, .yaml, .json, .template), "-", or a CDK cloud assembly folder',
      cause,
    });
  }
}

function reasonOf(cause: unknown): string {
  const { code } = cause as NodeJS.ErrnoException;
  const words: { readonly [code: string]: string } = {
    ENOENT: 'there is no such file',
    EACCES: 'permission denied',
    EISDIR: 'it is a folder',
  };
  return words[code ?? ''] ?? String(code ?? cause);
}

/** The file name without its ending, made a valid stack name. */
function nameFrom(target: string): string {
  if (target === '-') return 'stack';
  const file = basename(target);
  const name = file.slice(0, file.length - extname(file).length);
  const valid = name.replace(/[^-a-zA-Z0-9]+/g, '-').replace(/^[^a-zA-Z]+/, '');
  return valid.slice(0, 128) || 'stack';
}

/** T10. */
function checkStackName(name: string): void {
  if (STACK_NAME.test(name)) return;
  throw new UserError(
    'ValidationError',
    `1 validation error detected: Value '${name}' at 'stackName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z][-a-zA-Z0-9]*|arn:[-a-zA-Z0-9:/._+]*`,
    { hint: 'start with a letter; use letters, digits and hyphens, at most 128 characters' },
  );
}

/** Both shapes AWS accepts: a list of ParameterKey and ParameterValue, or an object (with `Parameters`). */
function readParameters(file: string | undefined): { readonly [name: string]: string } {
  if (file === undefined) return {};
  const text = readText(file);
  let content: JsonValue;
  try {
    content = JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw invalidParameters(file, 'it is not JSON', cause);
  }
  const inner =
    isObject(content) && isObject(content['Parameters']) ? content['Parameters'] : content;
  if (!Array.isArray(inner) && !isObject(inner)) {
    throw invalidParameters(file, 'it is neither a list nor an object');
  }
  const pairs = Array.isArray(inner)
    ? inner.map((item) => [itemOf(item, 'ParameterKey'), itemOf(item, 'ParameterValue')])
    : Object.entries(inner);
  const parameters: { [name: string]: string } = {};
  for (const [key, value] of pairs) {
    if (typeof key !== 'string' || value === null || typeof value === 'object') {
      throw invalidParameters(file, 'it holds something that is no parameter value');
    }
    parameters[key] = String(value);
  }
  return parameters;
}

function itemOf(item: JsonValue, key: string): JsonValue {
  return (isObject(item) ? item[key] : null) ?? null;
}

function invalidParameters(file: string, why: string, cause?: unknown): UserError {
  return new UserError('InvalidOption', `${file} cannot be used as parameters: ${why}`, {
    hint: 'write {"Name": "value"}, or a list of {"ParameterKey": …, "ParameterValue": …}',
    cause,
  });
}

/** Reads a scenario file, if one is given. */
export function readScenario(file: string | undefined): Scenario | undefined {
  return file === undefined ? undefined : parseScenario(readText(file), shownPath(file));
}

/** Says what a scenario asks for and this version does not follow. */
export function noteNotFollowed({ note }: Progress, scenario: Scenario | undefined): void {
  for (const key of scenario?.notFollowed ?? []) note?.(`scenario key ${key} is not followed yet`);
}
