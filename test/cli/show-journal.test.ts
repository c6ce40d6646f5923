import { basename } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { showJournal } from '../../src/cli/screen/show-journal.ts';
import { readJournalOf } from '../../src/cli/session/open-session.ts';
import { createWorld } from '../../src/cli/world.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { runProgram } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { onlySession, workspaceWith } from '../helpers/workspace.ts';

test('a session whose program ends while a screen opens it is one that nobody runs, and can be resumed at once', async () => {
  const workspace = workspaceWith({
    'plan.yaml':
      'goal: Fail\ntasks: [{id: a, title: A, run: ["false"]}]\nsettings: {retries: {max_attempts: 1}}\n',
  });
  expect((await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace })).code).toBe(1);
  const session = readJournalOf(createWorld(), sessionPaths(workspace, basename(onlySession(workspace))));
  // As it was a moment before: the lock was held when the journal was read.
  const read = { ...session, host: { pid: process.pid, alive: true } };
  const shown = showJournal(createTestCli({ env: { XDG_STATE_HOME: tempDir() } }), read);
  onTestFinished(async () => void (await shown.close()));
  expect(shown.store.getState()).toMatchObject({ connection: 'stopped' });
});
