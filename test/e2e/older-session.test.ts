import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/base/hash.io.ts';
import { repositoryPlace } from '../../src/changes/context.ts';
import { ask } from '../helpers/ask.ts';
import { cleanEnvironment, runProgram } from '../helpers/program.ts';
import { git } from '../helpers/repository.ts';
import { root } from '../helpers/source-tree.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const session = '261128-093808';

const fixtures = join(root, 'test/fixtures/sessions-in-work');

/** The session as it was recorded, with these paths in its journal where others were; `/recorded` is its workspace. */
const copySession = (
  name: string,
  id: string,
  paths: Readonly<Record<'/recorded' | '/trees', string>> | Readonly<Record<'/recorded', string>>,
): void => {
  const directory = join(paths['/recorded'], '.ralph-sessions', id);
  cpSync(join(fixtures, name, id), directory, { recursive: true });
  const journal = join(directory, 'journal.jsonl');
  const text = Object.entries(paths).reduce(
    (now, [from, to]) => now.replaceAll(from, to),
    readFileSync(journal, 'utf8'),
  );
  writeFileSync(journal, text);
};

/**
 * A session of a program that waited for each level of the graph, killed in the second level: the work on `printer` had ended and waited for its review,
 * and `parser` was at work. The paths in its journal are those of the scratch workspace.
 */
const recorded = (): string => {
  const workspace = tempDir();
  copySession('levels', session, { '/recorded': workspace });
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

const merging = '261129-123448';

/**
 * A session of a program that verified one merge after the other, which moved the session's branch with each. `one` was merged and verified. It was killed
 * in the merge of `two`, when git had made the commit and no branch had it yet; `three` waits for `one`.
 */
const killedInMerge = (): string => {
  const workspace = tempDir();
  const state = cleanEnvironment()['XDG_STATE_HOME'] ?? '';
  const place = repositoryPlace(
    { root: join(state, 'ralph-tui/worktrees'), hash: sha256 },
    { root: workspace, commonDir: join(workspace, '.git'), prefix: '' },
  );
  const trees = join(place, merging);
  git(workspace, 'init', '-q', '-b', 'main');
  // As it was when the session began: git would act on a change, which is asked about.
  const config = [
    'repositoryformatversion = 0',
    'filemode = true',
    'bare = false',
    'logallrefupdates = true',
  ];
  writeFileSync(join(workspace, '.git/config'), `[core]\n${config.map((line) => `\t${line}\n`).join('')}`);
  git(workspace, 'fetch', '-q', '-u', join(fixtures, 'merging/repository.bundle'), '+refs/*:refs/*');
  git(workspace, 'reset', '-q', '--hard');
  git(workspace, 'worktree', 'add', '-q', join(trees, 'merged'), `ralph/${merging}`);
  git(workspace, 'worktree', 'add', '-q', '--detach', join(trees, 'one-1'), `ralph/${merging}`);
  git(workspace, 'worktree', 'add', '-q', join(trees, 'two-1'), `ralph-attempt/${merging}/two/1`);
  copySession('merging', merging, { '/recorded': workspace, '/trees': trees });
  return workspace;
};

test('a session of a program without a train, killed in a merge, resumes to its end: each task is merged once', async () => {
  const cwd = killedInMerge();
  const { code, stdout, stderr } = await runProgram(['resume', merging, '--yes', '--json'], { cwd });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const events: readonly { readonly type: string; readonly task?: string }[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.filter(({ type }) => type === 'task.started').map(({ task }) => task)).toEqual(['three']);
  const branch = `ralph/${merging}`;
  expect(git(cwd, 'log', '--format=%s', '--merges', branch).trim().split('\n')).toHaveLength(3);
  expect(['text.txt', 'new.txt', 'third.txt'].map((file) => git(cwd, 'show', `${branch}:${file}`))).toEqual([
    'ONE\ntwo\n',
    'new\n',
    'third\n',
  ]);
  expect(git(cwd, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(git(cwd, 'branch', '--list', 'ralph-attempt/*')).toBe('');
});
