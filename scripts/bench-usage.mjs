// Loaded before a program by `bench.mjs`: writes the largest resident set, in KiB, when it ends.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  writeFileSync(process.env.BENCH_USAGE, String(process.resourceUsage().maxRSS));
});
