import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createNativeTracker } from '../../src/issues/trackers/native.ts';
import { repositoryWith } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openTerminal } from '../helpers/terminal.ts';
import { trackerPorts } from '../helpers/tracker-ports.ts';

test('the start screen offers a ready group, lists its tasks, and starts it only then', async () => {
  const cwd = repositoryWith({ 'README.md': 'Greetings.\n' });
  const tracker = createNativeTracker(trackerPorts(cwd));
  const made = await tracker.create({ title: 'Greet in Vietnamese', body: 'Xin chào.', estimate: 'S' });
  const id = made.ok ? made.value.id : '';
  await tracker.create({ title: 'Show it on the page', blockedBy: [id], estimate: 'S' });
  const bin = tempDir();
  // It never answers: only what the screen starts is of interest.
  writeFileSync(join(bin, 'gemini'), '#!/bin/sh\nexec sleep 60\n');
  chmodSync(join(bin, 'gemini'), 0o755);
  const terminal = openTerminal([], {
    cwd,
    columns: 120,
    rows: 36,
    env: { PATH: `${bin}:/usr/bin:/bin`, XDG_STATE_HOME: tempDir() },
  });
  await terminal.waitFor(/Issue \S+ +Greet in Vietnamese · and 1 more issue of its group/);
  terminal.type('\u001b[B\r');
  await terminal.waitFor(`Start issue ${id}?`);
  await terminal.waitFor(`triage-${id}`);
  await terminal.waitFor('reviewed by the validator and a person');
  const sessions = join(cwd, '.ralph-sessions');
  expect(() => readdirSync(sessions)).toThrow();
  terminal.type('y');
  await terminal.waitFor(/Greet in Vietnamese \(and 1 more issue/);
  await expect.poll(() => readdirSync(sessions).filter((name) => /^\d{6}-\d{6}$/.test(name)).length).toBe(1);
  const [session = ''] = readdirSync(sessions).filter((name) => /^\d{6}-\d{6}$/.test(name));
  const journal = join(sessions, session, 'journal.jsonl');
  await expect
    .poll(() => JSON.parse(readFileSync(journal, 'utf8').split('\n')[0] ?? '{}').flow?.issue)
    .toBe(id);
  terminal.type('A');
  await terminal.waitFor('ABORT');
  terminal.type('ABORT\r');
  await terminal.waitFor(/[Aa]borted/);
  terminal.type('\u0003\u0003');
  await terminal.exit;
});
