import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { runProgram } from '../helpers/program.ts';
import { root } from '../helpers/source-tree.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const session = '261128-093808';

/**
 * A session of a program that waited for each level of the graph, killed in the second level: the work on `printer` had ended and waited for its review,
 * and `parser` was at work. The paths in its journal are those of the scratch workspace.
 */
const recorded = (): string => {
  const workspace = tempDir();
  const sessions = join(workspace, '.ralph-sessions');
  cpSync(join(root, 'test/fixtures/sessions-in-work/levels'), sessions, { recursive: true });
  const journal = join(sessions, session, 'journal.jsonl');
  writeFileSync(journal, readFileSync(journal, 'utf8').replaceAll('/recorded', workspace));
  for (const done of ['schema', 'docs', 'printer']) writeFileSync(join(workspace, `${done}.txt`), '');
  writeFileSync(join(workspace, 'go'), '');
  return workspace;
};

test('a session of a program that waited for levels opens: its tasks, what waits, and its events', async () => {
  const cwd = recorded();
  expect(await ask(['status'], { cwd })).toMatchObject({
    session_id: session,
    state: 'EXECUTING_BATCH',
    wave: 2,
    tasks: { total: 5, completed: 2 },
    time_left: null,
  });
  const tasks = await ask(['tasks'], { cwd });
  expect(tasks).toMatchObject(['done', 'done', 'running', 'review', 'open'].map((status) => ({ status })));
  const { code, stdout } = await runProgram(['replay', session, '--json'], { cwd });
  expect(code).toBe(0);
  expect(stdout.trim().split('\n')).toHaveLength(96);
});

test('it resumes to its end: what was done is not done again, and the last task starts when its blockers are done', async () => {
  const cwd = recorded();
  const { code, stdout } = await runProgram(['resume', session, '--yes', '--json'], { cwd });
  expect(code).toBe(0);
  const events: readonly { readonly type: string; readonly task?: string }[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const started = events.filter(({ type }) => type === 'task.started').map(({ task }) => task);
  expect(started).toEqual(['parser', 'tool']);
  expect(await ask(['status'], { cwd })).toMatchObject({ status: 'completed', tasks: { completed: 5 } });
});
