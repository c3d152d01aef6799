import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatArchive, parseArchive } from '../support/archive.ts';
import { matchesGoldenFile } from '../support/golden.ts';
import { ROOT } from '../support/root.ts';
import { play } from '../support/story.ts';

const STORIES = join(ROOT, 'test/stories');

// A story is its own golden file: the run must reproduce the file byte for byte.
// Those under `simulation` have time pass, or checks, as containers do not.
const stories = readdirSync(STORIES, { recursive: true, encoding: 'utf8' });
for (const name of stories.filter((file) => file.endsWith('.txtar'))) {
  test(`story: ${name}`, async () => {
    const path = join(STORIES, name);
    const text = readFileSync(path, 'utf8');
    const story = parseArchive(text);
    const files = new Map(story.files);
    for (const [section, told] of await play(story)) files.set(section, told);
    matchesGoldenFile(path, text, formatArchive({ ...story, files: [...files] }));
  });
}
