import type {
  CommonOptions,
  DeleteRequest,
  DeployRequest,
  Progress,
  ValidateRequest,
} from '../app/index.ts';
import { UserError } from '../base/index.ts';
import type { CommonFlags, DeleteFlags, DeployFlags, ValidateFlags } from './flags.ts';

/*
 * From flags to requests. Progress and the text of standard input are added where they are known;
 * all that is decided about words is decided here, and a table test looks at it.
 */

/** Where a CDK app leaves its assembly when nobody says otherwise. */
const APP_OUTPUT = 'cdk.out';

export function commonOptions(flags: CommonFlags): CommonOptions {
  if (flags.stateDir === '') {
    throw new UserError('InvalidOption', '--state-dir names no folder', {
      hint: 'an unset variable in a script often stands behind this; leave the option out for .overcast-cfn',
    });
  }
  return {
    stateDir: flags.stateDir,
    lockTimeoutMs: flags.lockTimeout,
    ...given({ region: flags.region, account: flags.account, scenario: flags.scenario }),
  };
}

export function deployRequest(
  words: readonly string[],
  flags: DeployFlags,
): Omit<DeployRequest, keyof Progress> {
  if (flags.onFailure !== undefined && flags.disableRollback === true) {
    throw new UserError('InvalidOption', '--on-failure and --disable-rollback exclude each other', {
      hint: '--disable-rollback is --on-failure DO_NOTHING; keep one of them',
    });
  }
  const [target = targetWithout(flags), ...stacks] = words;
  return {
    ...commonOptions(flags),
    target,
    stacks,
    parameterOverrides: flags.parameterOverrides ?? {},
    tags: flags.tags ?? {},
    capabilities: flags.capabilities ?? [],
    disableRollback: flags.disableRollback === true,
    runtime: flags.runtime,
    invent: flags.invent === true,
    remove: flags.rm === true,
    execute: flags.execute !== false,
    images: flags.image ?? {},
    follow: flags.follow === true,
    ...given({
      stackName: flags.stackName,
      parametersFile: flags.parametersFile,
      onFailure: flags.onFailure,
      timeoutInMinutes: flags.timeoutInMinutes,
      stabilizeTimeoutMs: flags.stabilizeTimeout,
      failFast: flags.failFast,
      timing: flags.timing,
      publish: flags.publish,
      secretsFile: flags.secretsFile,
      seed: flags.seed,
      app: flags.app,
    }),
  };
}

export function deleteRequest(
  stackNames: readonly string[],
  flags: DeleteFlags,
): Omit<DeleteRequest, keyof Progress> {
  return {
    ...commonOptions(flags),
    stackNames,
    retainResources: flags.retainResources ?? [],
    ...given({ stabilizeTimeoutMs: flags.stabilizeTimeout }),
  };
}

export function validateRequest(
  target: string,
  stacks: readonly string[],
  flags: ValidateFlags,
): ValidateRequest {
  return {
    ...commonOptions(flags),
    target,
    stacks,
    parameterOverrides: flags.parameterOverrides ?? {},
    capabilities: flags.capabilities ?? [],
    invent: flags.invent === true,
    ...given({ stackName: flags.stackName, parametersFile: flags.parametersFile }),
  };
}

function targetWithout({ app, changeSet }: DeployFlags): string {
  if (app !== undefined) return APP_OUTPUT;
  if (changeSet !== undefined) {
    throw new UserError('NotAvailable', 'this version stores no change sets, so none can be run', {
      hint: 'name the template: overcast-cfn deploy <target>',
    });
  }
  throw new UserError('InvalidOption', 'deploy needs a target', {
    hint: 'name a template file, "-" for standard input, or a CDK cloud assembly folder',
  });
}

type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Leaves out what was not given, since an absent field and an undefined one differ. */
function given<T extends object>(fields: T): Given<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Given<T>; // the compiler cannot follow a filter
}
