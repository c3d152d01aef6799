/** SSM Parameter Store as one account holds it: what templates look up. */
export interface SsmState {
  readonly parameters: { [name: string]: SsmParameter };
  /** Whether a name that is not among them is taken to exist (`docs/decisions.md` 6). */
  assumesOthers: boolean;
}

export interface SsmParameter {
  readonly type: 'String' | 'StringList' | 'SecureString';
  readonly versions: readonly [string, ...string[]]; // oldest first
}

export function createSsmState(): SsmState {
  return { parameters: {}, assumesOthers: true };
}

/** GetParameter of `name` or `name:version`; undefined when there is none. */
export function getParameter(
  { parameters }: SsmState,
  reference: string,
): { readonly type: string; readonly value: string } | undefined {
  const [, name = reference, version] = /^(.*?)(?::(\d+))?$/.exec(reference) ?? [];
  const parameter = parameters[name];
  if (parameter === undefined) return undefined;
  const value =
    version === undefined ? parameter.versions.at(-1) : parameter.versions[Number(version) - 1];
  return value === undefined ? undefined : { type: parameter.type, value };
}
