import { readFileSync } from 'node:fs';
import type { ResourceStore } from '../aws/resources/index.ts';
import { getParameter } from '../aws/ssm/index.ts';
import {
  ALPHANUMERIC,
  isObject,
  type JsonObject,
  type JsonValue,
  nextText,
  type ServiceArn,
  seedRandom,
  UserError,
} from '../base/index.ts';
import { type HiddenValues, reveal } from '../language/index.ts';
import type { Unknown, ValueSource } from '../runtime/docker/index.ts';
import type { World } from '../world/index.ts';

/** Values that this command was told and that are kept nowhere. */
export interface KnownValues {
  /** Behind the placeholders of NoEcho parameters. */
  hidden: HiddenValues;
  /** Of secrets and SSM parameters, by name or ARN (`--secrets-file`). */
  readonly secrets: { readonly [name: string]: string };
}

/**
 * Reads a file of secrets: a JSON object from name to text.
 *
 * @throws UserError `InvalidOption`; its message shows no value
 */
export function readSecrets(file: string | undefined): KnownValues['secrets'] {
  if (file === undefined) return {};
  const content = parsed(file);
  const entries = isObject(content) ? Object.entries(content) : undefined;
  const wrong = entries?.find(([, value]) => typeof value !== 'string' && !isObject(value));
  if (entries === undefined || wrong !== undefined) {
    const what = wrong === undefined ? 'it is no object' : `the value of "${wrong[0]}" is no text`;
    throw unusable(file, what);
  }
  // A secret of several keys may be written as the object it is.
  const text = (value: JsonValue) => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.fromEntries(entries.map(([name, value]) => [name, text(value)]));
}

function parsed(file: string): JsonValue {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw unusable(file, code === 'ENOENT' ? 'there is no such file' : String(code));
  }
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) throw unusable(file, 'it is not JSON'); // its words quote it
    throw error;
  }
}

function unusable(file: string, why: string): UserError {
  return new UserError('InvalidOption', `${file} cannot be used as secrets: ${why}`, {
    hint: 'write {"name or ARN of the secret or parameter": "value"}',
  });
}

/** Answers what containers need to know, from what the command was told and from the account. */
export function valueSource(world: World, known: KnownValues): ValueSource {
  return {
    reveal(service, text) {
      const account = accountOf(world, service);
      const unknown: string[] = [];
      const shown = (one: string) => reveal(one, known.hidden, (name) => unknown.push(named(name)));
      const whole = shown(text).replace(DYNAMIC, (reference, what: string) => {
        const value = dynamicValue(what, account, known);
        if (value === undefined) unknown.push(what);
        return value === undefined ? reference : shown(value); // a secret may hold a placeholder
      });
      return unknown[0] === undefined ? whole : { unknown: unknown[0] };
    },
    secret(service, valueFrom) {
      const found = secretValue(valueFrom, accountOf(world, service), known);
      if (found === undefined) return { unknown: valueFrom };
      return typeof found === 'string' ? this.reveal(service, found) : found;
    },
  };
}

const DYNAMIC = /\{\{resolve:((?:ssm|ssm-secure|secretsmanager):[^{}]+)\}\}/g;

/** `stack/Parameter` reads better as what it is. */
function named(name: string): string {
  return name.startsWith('made of ') ? `what is ${name}` : `NoEcho parameter ${name}`;
}

type Account = World['accounts'][keyof World['accounts']] | undefined;

function accountOf({ accounts }: World, service: ServiceArn | null): Account {
  const [, , , region, accountId] = (service ?? '').split(':');
  return accounts[`${accountId}/${region}` as keyof World['accounts']];
}

/** `secretsmanager:id:SecretString:key:stage:version`, `ssm:name:version` (rules of dynamic references). */
function dynamicValue(what: string, account: Account, known: KnownValues): string | undefined {
  const [service = '', ...rest] = what.split(':');
  if (service !== 'secretsmanager') {
    return parameterText(rest[0] ?? '', account, known);
  }
  const isArn = rest[0] === 'arn';
  const id = isArn ? rest.slice(0, 7).join(':') : (rest[0] ?? '');
  const [, key = ''] = rest.slice(isArn ? 7 : 1);
  const text = secretText(id, account, known);
  return text === undefined || key === '' ? text : keyOf(text, key);
}

/** `valueFrom`: a secret's ARN, with a JSON key, a stage and a version; a parameter's name or ARN. */
function secretValue(
  valueFrom: string,
  account: Account,
  known: KnownValues,
): string | Unknown | undefined {
  const direct = known.secrets[valueFrom];
  if (direct !== undefined) return direct;
  if (!valueFrom.includes(':secretsmanager:')) {
    return parameterText(valueFrom.split(':parameter').at(-1) ?? '', account, known);
  }
  const parts = valueFrom.split(':');
  const text = secretText(parts.slice(0, 7).join(':'), account, known);
  const key = parts[7] ?? '';
  if (text === undefined || key === '') return text;
  const value = keyOf(text, key);
  return value ?? { unknown: `${valueFrom} (its secret has no key ${key})` };
}

/** By ARN, by the name in it with or without the six letters that AWS appends, or by name. */
function secretText(id: string, account: Account, { secrets }: KnownValues): string | undefined {
  const names = namesIn(id);
  const given = [id, ...names].find((name) => secrets[name] !== undefined);
  return given === undefined ? ownSecret(account?.other, id, names) : secrets[given];
}

function namesIn(id: string): readonly string[] {
  if (!id.startsWith('arn:')) return [id];
  const name = id.split(':').slice(6).join(':');
  return [name, name.replace(/-[A-Za-z0-9]{6}$/, '')];
}

function ownSecret(store: ResourceStore | undefined, id: string, names: readonly string[]) {
  const secrets = Object.entries(store?.resources['AWS::SecretsManager::Secret'] ?? {});
  const found =
    secrets.find(([arn]) => arn === id) ??
    names.flatMap((name) => secrets.filter(([, model]) => model['Name'] === name))[0];
  if (found === undefined) return undefined;
  const [arn, { SecretString: text, GenerateSecretString: generate }] = found;
  if (typeof text === 'string') return text;
  return isObject(generate) ? generatedSecret(arn, generate) : undefined;
}

const PASSWORD_LENGTH = 32;

/**
 * What Secrets Manager would generate, the same at every call for a secret and kept nowhere: drawn
 * from its ARN. Without punctuation, which nothing in the request can ask for.
 */
function generatedSecret(arn: string, request: JsonObject): string | undefined {
  const { PasswordLength, ExcludeCharacters, SecretStringTemplate, GenerateStringKey } = request;
  const excluded = String(ExcludeCharacters ?? '');
  const alphabet = [...ALPHANUMERIC]
    .filter((one) => !excluded.includes(one) && !isLeftOut(one, request))
    .join('');
  const length = Number(PasswordLength ?? PASSWORD_LENGTH);
  const password = nextText(seedRandom(`secret ${arn}`), length, alphabet || ALPHANUMERIC);
  if (typeof SecretStringTemplate !== 'string' || typeof GenerateStringKey !== 'string') {
    return password;
  }
  const template = objectIn(SecretStringTemplate);
  return template && JSON.stringify({ ...template, [GenerateStringKey]: password });
}

function isLeftOut(one: string, request: JsonObject): boolean {
  const kinds = { ExcludeUppercase: /[A-Z]/, ExcludeLowercase: /[a-z]/, ExcludeNumbers: /\d/ };
  return Object.entries(kinds).some(
    ([option, kind]) => String(request[option]) === 'true' && kind.test(one),
  );
}

/** An ARN has a slash before any name, which a name in a file or a template need not have. */
function parameterText(name: string, account: Account, { secrets }: KnownValues) {
  return secrets[name] ?? secrets[name.replace(/^\//, '')] ?? parameterValue(name, account);
}

function parameterValue(name: string, account: Account): string | undefined {
  if (account === undefined) return undefined;
  const known = getParameter(account.ssm, name);
  if (known !== undefined) return known.value;
  const own = Object.values(account.other.resources['AWS::SSM::Parameter'] ?? {});
  const bare = (text: string) => text.replace(/^\//, '');
  const found = own.find((model: JsonObject) => bare(String(model['Name'])) === bare(name));
  const value = found?.['Value'];
  return typeof value === 'string' ? value : undefined;
}

function keyOf(text: string, key: string): string | undefined {
  const value = objectIn(text)?.[key];
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The object that a text is the JSON of. What is wrong with it is not told: that would quote it. */
function objectIn(text: string): JsonObject | undefined {
  try {
    const content = JSON.parse(text) as JsonValue;
    return isObject(content) ? content : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
