import { isIP } from 'node:net';
import { nearest, parseDurationMs, UserError } from '../base/index.ts';
import { MANY_WORDS } from './words.ts';

export type Named = { readonly [name: string]: string };

/** Where a report goes: `json=result.json`; `github` needs no file. */
export interface Report {
  readonly format: string;
  readonly file: string | null;
}

const CAPABILITIES = ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM', 'CAPABILITY_AUTO_EXPAND'];

export function durationMs(option: string): (text: string) => number {
  return (text) => {
    const ms = parseDurationMs(text);
    if (ms !== undefined) return ms;
    throw invalid(option, text, 'no duration', 'write it as 90s, 10m, 1h30m, 36h or PT5M');
  };
}

export function wholeNumber(option: string, min: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && Number.isSafeInteger(value)) return value;
    throw invalid(option, text, 'no whole number', `write a number of ${min} or more`);
  };
}

export function regionName(text: string): string {
  if (/^[a-z]{2,3}(-[a-z]+)+-\d+$/.test(text)) return text;
  throw invalid('--region', text, 'no name of a region', 'write it as us-east-1');
}

export function address(text: string): string {
  if (isIP(text) !== 0) return text;
  const hint = 'write an address of this machine, as in 127.0.0.1 or 0.0.0.0';
  throw invalid('--publish', text, 'no address', hint);
}

export function accountId(text: string): string {
  if (/^\d{12}$/.test(text)) return text;
  throw invalid('--account', text, 'no account ID', 'write its 12 digits');
}

export function capability(text: string, previous: readonly string[] = []): readonly string[] {
  if (CAPABILITIES.includes(text)) return [...previous, text];
  const meant = nearest(text, CAPABILITIES);
  const hint = meant ? `did you mean ${meant}?` : `there are ${CAPABILITIES.join(', ')}`;
  throw invalid('--capabilities', text, 'no capability', hint);
}

/** `Name=Value`, or `ParameterKey=Name,ParameterValue=Value` as `aws` takes it too. */
export function parameter(text: string, previous: Named = {}): Named {
  const long = /^ParameterKey=([A-Za-z0-9]+),ParameterValue=(.*)$/s.exec(text);
  const pair = long ?? /^([A-Za-z0-9]+)=(.*)$/s.exec(text);
  if (pair !== null) return { ...previous, [pair[1] ?? '']: pair[2] ?? '' };
  const hint = 'write Name=Value for each parameter; a file of them goes to --parameters-file';
  throw invalid('--parameter-overrides', text, 'no parameter with a value', hint);
}

/** `Key=Value`, or `Key=Name,Value=Value` as `aws` takes it too. */
export function tag(text: string, previous: Named = {}): Named {
  const long = /^Key=([^=,]+),Value=(.*)$/s.exec(text);
  const pair = long ?? /^([^-=][^=]*)=(.*)$/s.exec(text);
  if (pair !== null) return { ...previous, [pair[1] ?? '']: pair[2] ?? '' };
  throw invalid('--tags', text, 'no tag with a value', 'write Key=Value for each tag');
}

/** `<from>=<to>`; an image reference holds no equals sign. */
export function imagePair(text: string, previous: Named = {}): Named {
  const pair = MANY_WORDS['--image'].test(text) ? /^([^=]+)=(.+)$/.exec(text) : null;
  if (pair !== null) return { ...previous, [pair[1] ?? '']: pair[2] ?? '' };
  throw invalid('--image', text, 'no pair of images', 'write <from>=<to>, as in web:1=web:dev');
}

export function logicalId(text: string, previous: readonly string[] = []): readonly string[] {
  if (MANY_WORDS['--retain-resources'].test(text)) return [...previous, text];
  const hint = 'write logical IDs, as the template names its resources';
  throw invalid('--retain-resources', text, 'no logical ID', hint);
}

export function report(text: string, previous: readonly Report[] = []): readonly Report[] {
  const [, format = '', file = ''] = /^([a-z]+)(?:=(.*))?$/.exec(text) ?? [];
  const hint = 'write <format>=<file>: json, junit, sarif, markdown or html; or github';
  if (!MANY_WORDS['--report'].test(text)) {
    throw invalid('--report', text, 'no format and file', hint);
  }
  if (file === '' && format !== 'github') throw invalid('--report', text, 'without a file', hint);
  return [...previous, { format, file: file === '' ? null : file }];
}

function invalid(option: string, text: string, what: string, hint: string): UserError {
  return new UserError('InvalidOption', `${option}: "${text}" is ${what}`, { hint });
}
