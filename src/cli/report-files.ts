import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UserError } from '../base/index.ts';
import type { ResultDocument } from '../result/index.ts';
import type { ReportFlags } from './flags.ts';

/**
 * The files of `--report json=<file>`, made before anything runs: a place that cannot be written
 * is refused while nothing has changed yet.
 *
 * @throws UserError when a file cannot be made
 */
export async function openReports({ report = [] }: ReportFlags): Promise<readonly string[]> {
  const files = report.flatMap(({ format, file }) =>
    format === 'json' && file !== null ? [file] : [],
  );
  for (const file of files) {
    await writing(file, async () => {
      await mkdir(dirname(file), { recursive: true });
      await (await open(file, 'a')).close();
    });
  }
  return files;
}

export async function writeReports(files: readonly string[], result: ResultDocument) {
  const text = `${JSON.stringify(result, null, 2)}\n`;
  for (const file of files) await writing(file, () => writeFile(file, text));
}

async function writing(file: string, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UserError('InvalidOption', `--report: cannot write ${file}: ${why}`, {
      hint: 'name a file in a folder that you may write to',
      cause,
    });
  }
}
