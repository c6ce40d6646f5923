import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { followJournal } from '../../src/cli/journal-feed.ts';
import { createWorld } from '../../src/cli/world.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { createStory } from '../helpers/story.ts';
import { tempDir } from '../helpers/temp-dir.ts';

test('what was written before anybody followed is told once there is an answer to stop with', async () => {
  const paths = sessionPaths(tempDir(), '260215-101500');
  mkdirSync(paths.directory, { recursive: true });
  const { events } = createStory().begin();
  writeFileSync(paths.journal, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  let isGiven = false;
  const told: boolean[] = [];
  await new Promise<void>((resolve) => {
    const stop = followJournal(createWorld(), paths, { offset: 0, events: [] }, () => {
      told.push(isGiven);
      if (told.length === events.length) resolve();
    });
    isGiven = true;
    onTestFinished(() => stop());
  });
  expect(told).toEqual(events.map(() => true));
});
