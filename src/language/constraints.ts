import type { ParameterDeclaration } from './parameter-section.ts';
import { wholePattern } from './pattern.ts';

/**
 * The constraint that one value breaks, in CloudFormation's words (P5 to P9); undefined where it
 * breaks none. A pattern that cannot be read here passes.
 */
export function brokenConstraint(
  value: string,
  declaration: ParameterDeclaration,
): string | undefined {
  const { name, kind, allowedValues, allowedPattern } = declaration;
  const isNumber = kind.element === 'Number';
  if (isNumber && !isNumeric(value)) return `Parameter '${name}' must be a number.`;
  if (allowedValues !== undefined && !allows(allowedValues, value, isNumber)) {
    return `Parameter '${name}' must be one of AllowedValues`;
  }
  if (allowedPattern !== undefined && wholePattern(allowedPattern)?.test(value) === false) {
    return `Parameter '${name}' must match pattern ${allowedPattern}`;
  }
  const length = brokenLength(value, declaration);
  return length ?? (isNumber ? brokenRange(Number(value), declaration) : undefined);
}

function isNumeric(value: string): boolean {
  return /^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$/.test(value);
}

function allows(allowed: readonly string[], value: string, isNumber: boolean): boolean {
  return (
    allowed.includes(value) || (isNumber && allowed.some((item) => Number(item) === Number(value)))
  );
}

function brokenLength(
  value: string,
  { name, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: ParameterDeclaration,
): string | undefined {
  if (value.length < minLength)
    return `Parameter '${name}' must contain at least ${minLength} characters`;
  if (value.length > maxLength)
    return `Parameter '${name}' must contain at most ${maxLength} characters`;
  return undefined;
}

function brokenRange(
  value: number,
  { name, minValue, maxValue }: ParameterDeclaration,
): string | undefined {
  if (minValue !== undefined && value < minValue) {
    return `Parameter '${name}' must be a number not less than ${minValue}`;
  }
  if (maxValue !== undefined && value > maxValue) {
    return `Parameter '${name}' must be a number not greater than ${maxValue}`;
  }
  return undefined;
}
