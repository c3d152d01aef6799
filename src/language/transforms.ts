import { isObject, type JsonValue } from '../base/index.ts';
import type { Template } from '../template/index.ts';
import { notAvailable, refusal } from './refusal.ts';
import { down, type Trail } from './trail.ts';

export const LANGUAGE_EXTENSIONS = 'AWS::LanguageExtensions';

/**
 * The transforms a template lists. AWS::LanguageExtensions passes as long as nothing of it is used;
 * every other one is refused by name (F36, F42, F43).
 */
export function listedTransforms(template: Template): readonly string[] {
  const listed = template.body['Transform'];
  if (listed === undefined) return [];
  const items = Array.isArray(listed) ? listed : [listed];
  const names = items.map((item, index) => {
    const at = Array.isArray(listed)
      ? down(undefined, 'Transform', index)
      : down(undefined, 'Transform');
    return transformName(template, item, at);
  });
  names.forEach((name, index) => {
    if (name === LANGUAGE_EXTENSIONS) return;
    throw refusedTransform(template, name, down(undefined, 'Transform', index));
  });
  return names;
}

function transformName(template: Template, item: JsonValue, at: Trail): string {
  const name = isObject(item) ? item['Name'] : item;
  if (typeof name === 'string') return name;
  const hint = 'name the transform as plain text';
  throw refusal(template, 'Key Name of transform definition must be a string.', at, hint);
}

/** `Fn::Transform` in the midst of a template: always somebody else's work. */
export function refusedFunction(template: Template, argument: JsonValue, at: Trail): Error {
  return refusedTransform(template, transformName(template, argument, at), at);
}

function refusedTransform(template: Template, name: string, at: Trail): Error {
  return notAvailable(template, `The transform ${name} is not available`, at, adviceOn(name));
}

/** The refusal of a part of AWS::LanguageExtensions, in a template that lists the transform. */
export function refusedExtension(template: Template, what: string, at: Trail): Error {
  const message = `${what} of the transform ${LANGUAGE_EXTENSIONS} is not available`;
  return notAvailable(template, message, at, adviceOn(LANGUAGE_EXTENSIONS));
}

function adviceOn(name: string): string {
  if (name.startsWith('AWS::Serverless')) {
    return 'run `sam build`, have the template processed once, and deploy the processed one (`aws cloudformation get-template --template-stage Processed`)';
  }
  if (name === 'AWS::Include') return 'put the included part into the template itself';
  return 'deploy the processed template (`aws cloudformation get-template --template-stage Processed`)';
}
