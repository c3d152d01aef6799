import type { ReportFlags } from './flags.ts';

/** Options that are accepted already and change nothing yet. */
interface Waiting {
  readonly predict?: boolean;
  readonly changeSet?: string;
  readonly runFunctions?: true;
  readonly resourcesToImport?: string;
  readonly stackPolicy?: string;
  readonly terminationProtection?: 'on' | 'off';
}

const WAITING: readonly [string, (flags: Waiting) => boolean][] = [
  ['--no-predict', ({ predict }) => predict === false],
  ['--change-set', ({ changeSet }) => changeSet !== undefined],
  ['--run-functions', ({ runFunctions }) => runFunctions === true],
  ['--resources-to-import', ({ resourcesToImport }) => resourcesToImport !== undefined],
  ['--stack-policy', ({ stackPolicy }) => stackPolicy !== undefined],
  ['--termination-protection', (flags) => flags.terminationProtection !== undefined],
];

/** One sentence for each option that was given and has no effect in this version. */
export function withoutEffect(flags: Waiting & ReportFlags): string[] {
  const options = WAITING.filter(([, isGiven]) => isGiven(flags)).map(([option]) => option);
  const formats = new Set((flags.report ?? []).map(({ format }) => format));
  formats.delete('json');
  return [...options, ...[...formats].map((format) => `--report ${format}`)].map(
    (option) => `${option} has no effect yet`,
  );
}
