/**
 * Text to plain values that know their places: CloudFormation templates in YAML and JSON, and the
 * YAML of scenario files. What the values mean is the business of `language` and `scenario`.
 */
export { excerpt } from './excerpt.ts';
export type { Template, YamlDocument } from './template.ts';
export { parseTemplate, parseYamlDocument } from './template.ts';
