import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The version in the package's own `package.json`, the nearest one upwards. */
export function packageVersion(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) {
    folder = dirname(folder);
  }
  const manifest: { version: string } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  return manifest.version;
}
