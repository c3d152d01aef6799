// Builds everything that `dist/` holds: compiled product and tests, the schema pack, the bundled
// command, and the one entry that imports every test.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => join(ROOT, ...parts);
const run = (...argv) => execFileSync(process.execPath, argv, { cwd: ROOT, stdio: 'inherit' });

compile();
buildSchemaPack();
await bundleCommand();
writeTestEntry();

function compile() {
  // Outputs of deleted sources would stay and be run as tests.
  if (!process.argv.includes('--keep')) rmSync(at('dist/lib'), { recursive: true, force: true });
  run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json');
}

/** The pack takes seconds to make and changes only with its generator or the packages it reads. */
function buildSchemaPack() {
  const generator = readdirSync(at('scripts')).filter((name) => name.includes('schema-pack'));
  const inputs = [
    ...generator.map((name) => `scripts/${name}`),
    'src/registry/pack.ts',
    'src/registry/validators.ts',
    'package-lock.json',
    'data/schema-overrides.json',
  ];
  const hash = createHash('sha256');
  for (const input of inputs.filter((file) => existsSync(at(file))))
    hash.update(readFileSync(at(input)));
  const key = hash.digest('hex');
  const stamp = at('dist/schema-pack/.inputs');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return;
  run('dist/lib/scripts/build-schema-pack.js');
  writeFileSync(stamp, key);
}

/** One ESM bundle with a chunk for each command, so that a command loads only what it needs. */
async function bundleCommand() {
  rmSync(at('dist/cli'), { recursive: true, force: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: { main: 'src/cli/main.ts' },
    outdir: 'dist/cli',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [leaveOut(/^(ssh2|@grpc\/grpc-js|@grpc\/proto-loader)$/)],
    mainFields: ['module', 'main'],
    minifySyntax: true,
    minifyWhitespace: true,
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}

/**
 * The engine's client loads these for engines behind SSH and for image builds, neither of which is
 * done here, and they take four fifths of its time to load.
 */
function leaveOut(packages) {
  return {
    name: 'leave-out',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: packages }, ({ path }) => ({ path, namespace: 'left-out' }));
      onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: '', loader: 'js' }));
    },
  };
}

/** One entry for the tests that need nothing, one for those that need a Docker engine. */
function writeTestEntry() {
  mkdirSync(at('dist/test'), { recursive: true });
  const tests = findTests(at('dist/lib/test'));
  const needsEngine = (file) => file.startsWith(at('dist/lib/test/docker/'));
  const entry = (name, files) => {
    const imports = files.map((file) => `import '${relative(at('dist/test'), file)}';\n`);
    writeFileSync(at('dist/test', name), imports.join(''));
  };
  entry(
    'all.js',
    tests.filter((file) => !needsEngine(file)),
  );
  entry('docker.js', tests.filter(needsEngine));
}

function findTests(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => join(folder, name))
    .sort();
}
