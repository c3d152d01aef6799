import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { isObject, type JsonObject, type JsonValue, type Place, UserError } from '../base/index.ts';

/** What the CDK's own command line asks of an app, so that its templates name their constructs. */
const METADATA: JsonObject = {
  'aws:cdk:enable-path-metadata': true,
  'aws:cdk:enable-asset-metadata': true,
};

/**
 * Runs a CDK app as the CDK's command line does: the folder to write to and the context (that of
 * `cdk.json`, where there is one) are given in its environment. What it prints goes to standard error.
 *
 * @param command - as a shell takes it
 * @throws UserError `InvalidAssembly` when it does not end with 0
 */
export function runCdkApp(command: string, outdir: string, { accountId, region }: Place): void {
  const { status, signal, error } = spawnSync(command, {
    shell: true,
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
    env: {
      ...process.env,
      CDK_OUTDIR: outdir,
      CDK_DEFAULT_ACCOUNT: accountId,
      CDK_DEFAULT_REGION: region,
      CDK_CONTEXT_JSON: JSON.stringify({ ...projectContext(), ...METADATA }),
    },
  });
  if (status === 0) return;
  const how = error?.message ?? (signal === null ? `exit code ${status}` : `signal ${signal}`);
  throw new UserError('InvalidAssembly', `the app "${command}" failed (${how})`, {
    hint: 'its own words stand above; run it by itself to see more',
    cause: error,
  });
}

function projectContext(): JsonObject {
  if (!existsSync('cdk.json')) return {};
  let content: JsonValue;
  try {
    content = JSON.parse(readFileSync('cdk.json', 'utf8')) as JsonValue;
  } catch (cause) {
    throw new UserError('InvalidAssembly', 'cdk.json is not JSON', {
      hint: 'correct it, or move it away: only its "context" is read',
      cause,
    });
  }
  const context = isObject(content) ? content['context'] : undefined;
  return isObject(context) ? context : {};
}
