import type { Template } from '../template/index.ts';
import type { Inputs, Lookups } from './compile-types.ts';
import type { ParameterUses } from './inspect-template.ts';
import { assumeSsmValue, inventSsmValue } from './invent.ts';
import { MASK } from './no-echo.ts';
import type { ParameterDeclaration } from './parameter-section.ts';
import { refusal } from './refusal.ts';
import type { Findings } from './scope.ts';

interface SsmSources {
  readonly template: Template;
  readonly inputs: Inputs;
  readonly lookups: Lookups;
  readonly findings: Findings;
  readonly uses: ParameterUses;
}

/**
 * What the SSM parameter holds whose name a parameter gives (P13, P14: `name` or `name:version`).
 *
 * @returns lists comma-separated, as SSM keeps them
 */
export function ssmValue(
  name: string,
  declaration: ParameterDeclaration,
  sources: SsmSources,
): string {
  const { template, inputs, lookups } = sources;
  const found = lookups.ssmParameter(name);
  const shown = declaration.noEcho ? MASK : name;
  if (found === 'assumed' && !inputs.invent) return assumeSsmValue(name, declaration, sources);
  if (found === undefined || found === 'assumed') {
    if (inputs.invent) return inventSsmValue(name, declaration, sources);
    const message = `Unable to fetch parameters [${shown}] from parameter store for this account.`;
    throw refusal(template, message, declaration.at, adviceOn(name));
  }
  if (found.type === 'SecureString') {
    const message = `Parameters [${shown}] referenced by template have types not supported by CloudFormation.`;
    const hint = 'use a dynamic reference: {{resolve:ssm-secure:name:version}}';
    throw refusal(template, message, declaration.at, hint);
  }
  if ((found.type === 'StringList') !== declaration.kind.list) {
    const message = `Types for SSM parameters [${shown}] defined in CFN template and SSM are incompatible`;
    const hint = `it is a ${found.type}, the template expects ${declaration.type}`;
    throw refusal(template, message, declaration.at, hint);
  }
  return found.value;
}

function adviceOn(name: string): string {
  if (name.startsWith('/cdk-bootstrap/')) {
    return 'the account is not bootstrapped: run `cdk bootstrap`, or leave it out of the scenario';
  }
  return 'describe the parameter in the scenario, or have it made up with --invent';
}
