import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { runProgram } from '../helpers/program.ts';
import { git, repositoryWith } from '../helpers/repository.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const plan = `goal: Two files
tasks:
  - {id: old, title: Old, files: [old.txt], run: [echo two >> old.txt]}
  - {id: new, title: New, files: [new.txt], run: [echo token=ghp_0123456789abcdefghijklmnopqrstuvwxyz > new.txt]}
`;

/** A session that has ended, in a repository with one commit. */
const ended = async (config: string): Promise<string> => {
  const workspace = repositoryWith({ 'plan.yaml': plan, 'old.txt': 'one\n', '.ralph/config.yaml': config });
  expect((await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace })).code).toBe(0);
  return workspace;
};

test.each([
  ['what nobody committed yet', 'commit: false\n'],
  ['what the Reviewer committed', 'commit: true\n'],
])('`diff TASK` shows %s, new files too, without secrets', async (_, config) => {
  const workspace = await ended(config);
  const read = async (task: string) => (await runProgram(['diff', task], { cwd: workspace })).stdout;
  expect(await read('old')).toMatch(/^-{3} a\/old\.txt\n\+{3} b\/old\.txt\n@@ [^\n]*\n one\n\+two$/m);
  expect(await read('new')).toMatch(/^\+{3} b\/new\.txt\n@@ [^\n]*\n\+token=\[redacted\]/m);
  expect(await read('new')).not.toContain('old.txt');
});

test('`diff` shows what all tasks changed and nobody committed; as JSON with the files that were asked for', async () => {
  const workspace = await ended('commit: false\n');
  expect(await ask(['diff'], { cwd: workspace })).toEqual({
    task: null,
    unmerged: [],
    files: ['old.txt', 'new.txt'],
    commit: null,
    diff: expect.stringMatching(/b\/new\.txt[\s\S]*\+two/),
  });
});

test('`diff --stat` gives the counts of each file, and `--attempt` takes only attempts that there are', async () => {
  const workspace = await ended('commit: false\n');
  expect((await runProgram(['diff', '--stat'], { cwd: workspace })).stdout).toBe(
    'new.txt  +1 -0  new\nold.txt  +1 -0\n2 files, +2 -0\n',
  );
  expect((await runProgram(['diff', 'old', '--attempt', '1'], { cwd: workspace })).stdout).toContain('+two');
  const none = await runProgram(['diff', 'old', '--attempt', '2'], { cwd: workspace });
  expect(none).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/old has no attempt 2; its last attempt is 1/),
  });
  const all = await runProgram(['diff', '--attempt', '1'], { cwd: workspace });
  expect(all).toMatchObject({ code: 2, stderr: expect.stringContaining('--attempt needs a task') });
});

test('`diff` without a repository says so in one sentence', async () => {
  const workspace = workspaceWith({ 'plan.yaml': plan, 'old.txt': 'one\n' });
  await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  const { code, stdout, stderr } = await runProgram(['diff', 'old'], { cwd: workspace });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^[^\n]*No differences: this is not a git repository[^\n]*\n$/);
});

test('what an attempt wrote is committed with the one that passes, also when that writes it no second time', async () => {
  const workspace = repositoryWith({
    'plan.yaml': `goal: Twice
tasks:
  - id: two
    title: Two
    files: [first.txt, second.txt]
    run: ['test -e first.txt && echo 2 > second.txt || echo 1 > first.txt']
    verify: [test -e second.txt]
`,
    '.ralph/config.yaml': 'commit: true\n',
  });
  expect((await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace })).code).toBe(0);
  const { stdout } = await runProgram(['diff', 'two'], { cwd: workspace });
  expect(stdout).toMatch(/b\/first\.txt[\s\S]*b\/second\.txt/);
});

/** A session whose only task writes files into `out`. */
const writing = async (command: string, old: Readonly<Record<string, string>> = {}): Promise<string> => {
  const workspace = repositoryWith({
    'plan.yaml': `goal: Write\ntasks: [{id: out, title: Out, files: [out], run: ['mkdir -p out; ${command}']}]\n`,
    ...old,
  });
  expect((await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace })).code).toBe(0);
  return workspace;
};

test('`diff` shows every new file, however many there are', async () => {
  const workspace = await writing('for i in $(seq 1 50); do echo line $i > out/f$i.txt; done');
  const { stdout } = await runProgram(['diff', 'out'], { cwd: workspace });
  expect(stdout.match(/^\+line \d+$/gm)).toHaveLength(50);
});

test('`diff` of more than git may print at once says so, and not that nothing changed', async () => {
  const workspace = await writing('yes $(seq -s , 2000) | head -c 70000000 > out/numbers.txt');
  const { code, stdout, stderr } = await runProgram(['diff', 'out'], { cwd: workspace });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^[^\n]*more than 64 MB[^\n]*`git diff`[^\n]*\n$/);
});

test('`diff` of a commit that is gone, or that git refuses to read, says what git says', async () => {
  const workspace = await writing('echo one > out/one.txt', { '.ralph/config.yaml': 'commit: true\n' });
  const read = async () => (await runProgram(['diff', 'out'], { cwd: workspace })).stderr;
  for (const ref of git(workspace, 'for-each-ref', '--format=%(refname)', 'refs/ralph').trim().split('\n'))
    git(workspace, 'update-ref', '-d', ref);
  git(workspace, 'reset', '-q', '--soft', 'HEAD~1');
  git(workspace, 'reflog', 'expire', '--expire=now', '--all');
  rmSync(join(workspace, '.git/ORIG_HEAD'), { force: true });
  git(workspace, 'gc', '-q', '--prune=now');
  expect(await read()).toMatch(/^[^\n]*git says: bad revision '[0-9a-f]+'[^\n]*\n$/);
  // Lines that git would refuse are left out, also when nothing remains.
  writeFileSync(join(workspace, '.git/config'), '[core\n');
  expect(await read()).toMatch(/^[^\n]*git says: bad revision '[0-9a-f]+'[^\n]*\n$/);
  writeFileSync(join(workspace, '.git/config'), '[core]\nrepositoryformatversion = 9\n');
  expect(await read()).toMatch(/^[^\n]*git says: [^\n]*repo version[^\n]*\n$/);
});
