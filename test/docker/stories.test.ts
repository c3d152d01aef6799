import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseArchive } from '../support/archive.ts';
import { ROOT } from '../support/root.ts';
import { playInContainers, toldBy } from './story-in-containers.ts';

const STORIES = join(ROOT, 'test/stories');

/** A task that happens to start while its deployment is given up is stopped, and that is said. */
function isTelling(sentence: string): boolean {
  return !sentence.endsWith('has stopped tasks');
}

// The stories of the simulation, with real containers: they end the same.
describe('stories in containers', { concurrency: 3 }, () => {
  for (const name of readdirSync(STORIES).filter((file) => file.endsWith('.txtar'))) {
    test(`story in containers: ${name}`, async () => {
      const story = parseArchive(readFileSync(join(STORIES, name), 'utf8'));
      const expected = toldBy(story);
      const told = await playInContainers(story, expected);
      assert.deepEqual(told.ending, expected.ending);
      assert.equal(told.service, expected.service);
      assert.deepEqual(told.said.filter(isTelling), expected.said.filter(isTelling));
    });
  }
});
