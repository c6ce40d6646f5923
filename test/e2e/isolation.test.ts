import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { questionOptionSchema } from '../../src/signals/question-kinds.ts';
import { ask } from '../helpers/ask.ts';
import { runProgram, startProgram } from '../helpers/program.ts';
import { git, repositoryWith } from '../helpers/repository.ts';
import { sessionText } from '../helpers/session-files.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { isLongForm } from '../helpers/test-form.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const text = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n';

/** Three tasks that write the same file side by side; `top` and `other` change the same line. */
const plan = `goal: Write one file together
settings: {isolation: worktree, review: person, concurrency: {max_parallel_executors: 3, max_parallel_reviewers: 1}}
tasks:
  - {id: top, title: Top, files: [text.txt], run: ['sed -i s/one/ONE/ text.txt'], verify: ['grep -q ONE text.txt']}
  - {id: end, title: End, files: [text.txt], run: ['sed -i "9s/.*/NINE $RALPH_ATTEMPT/" text.txt'], verify: ['grep -q NINE text.txt']}
  - {id: other, title: Other, files: [text.txt], run: ['sed -i s/one/uno/ text.txt']}
  - {id: last, title: Last, blockedBy: [end], files: [last.txt], run: ['cp text.txt last.txt']}
`;

const statusShape = z.object({
  requests: z.array(z.object({ request: z.string(), options: z.array(questionOptionSchema) })),
});

/** Everything of the person's that a session must leave alone. */
const standing = (repository: string) => ({
  head: git(repository, 'rev-parse', 'HEAD', 'main'),
  branch: git(repository, 'symbolic-ref', 'HEAD'),
  index: readFileSync(join(repository, '.git/index')).toString('base64'),
  stash: git(repository, 'stash', 'list'),
  status: git(repository, 'status', '--porcelain', '-uall'),
  text: readFileSync(join(repository, 'text.txt'), 'utf8'),
  untracked: readFileSync(join(repository, 'notes.txt'), 'utf8'),
});

test('tasks that write one file side by side: merged, a conflict resolved, a rejected one redone; the person sees nothing of it', async () => {
  const repository = repositoryWith({ 'text.txt': text, '.gitignore': '.ralph-sessions/\nplan.yaml\n' });
  writeFileSync(join(repository, 'text.txt'), `${text}stashed\n`);
  git(repository, 'stash');
  writeFileSync(join(repository, 'notes.txt'), 'mine\n');
  writeFileSync(join(repository, 'plan.yaml'), plan);
  const before = standing(repository);
  const inside = { cwd: repository };
  const review = async (...args: readonly string[]) =>
    expect(await runProgram(['review', ...args], inside)).toMatchObject({ code: 0 });
  const open = async () => statusShape.parse(await ask(['status'], inside)).requests;
  const requests = async () => (await open()).map(({ request }) => request);

  const first = await runProgram(['run', '--plan', 'plan.yaml'], inside);
  expect(first).toMatchObject({ code: 3 });
  // Each is asked about when its `verify` has passed.
  expect((await requests()).toSorted()).toEqual(['review:end:1', 'review:other:1', 'review:top:1']);
  await review('top', '--accept');
  await review('end', '--reject', '--comment', 'text.txt:9: say which attempt it was');
  expect(await runProgram(['resume'], inside)).toMatchObject({ code: 3 });
  expect((await requests()).toSorted()).toEqual(['review:end:2', 'review:other:1']);
  // Of two that are accepted at one time, the review that ends first is merged first.
  await review('other', '--accept');
  const second = await runProgram(['resume'], inside);
  expect(second).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('other conflicts with top in text.txt'),
  });
  expect((await requests()).toSorted()).toEqual(['merge:other:1:1', 'review:end:2']);
  await review('end', '--accept');
  const conflict = (await open()).find(({ request }) => request === 'merge:other:1:1');
  const edited = conflict?.options.find(({ id }) => id === 'edited')?.label ?? '';
  const place = /resolved the conflict in (\S+)$/.exec(edited)?.[1] ?? '';
  expect(readFileSync(join(place, 'text.txt'), 'utf8')).toContain('>>>>>>> refs/heads/ralph/');
  // `verify` of top runs on the resolved merge too.
  writeFileSync(join(place, 'text.txt'), text.replace('one', 'ONE uno'));
  const answer = ['answer', 'merge:other:1:1', '--option', 'edited'];
  expect(await runProgram(answer, inside)).toMatchObject({ code: 0 });
  expect(await runProgram(['resume'], inside)).toMatchObject({ code: 3 });
  expect(await requests()).toEqual(['review:last:1']);
  await review('last', '--accept');
  const end = await runProgram(['resume'], inside);
  expect(end).toMatchObject({ code: 0 });

  const branch = git(repository, 'branch', '--list', 'ralph/*').trim();
  const merged = git(repository, 'show', `${branch}:text.txt`);
  expect(merged).toBe(text.replace('one', 'ONE uno').replace('nine', 'NINE 2'));
  expect(git(repository, 'show', `${branch}:last.txt`)).toContain('NINE 2');
  expect(standing(repository)).toEqual(before);
  expect(git(repository, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(sessionText(repository, 'iterations/1/reports/end-report-r2.md')).toContain(
    'say which attempt it was',
  );
  expect(existsSync(join(repository, 'last.txt'))).toBe(false);
});

/** The long tests only. */
const long = test.runIf(isLongForm);

const oneTask = { id: 'one', title: 'One', files: ['text.txt'], run: ['sed -i s/one/ONE/ text.txt'] };

const shortPlan = `goal: Two tasks
settings: {isolation: worktree}
tasks:
  - {id: one, title: One, files: [text.txt], run: ['sed -i s/one/ONE/ text.txt'], verify: ['grep -q ONE text.txt']}
  - {id: two, title: Two, files: [text.txt], run: ['sed -i s/nine/NINE/ text.txt'], verify: ['grep -q NINE text.txt']}
`;

test.each(['worktree.prepared', 'merge.started'])(
  'killed at the first %s, a session goes on and loses nothing; the person sees nothing of it',
  async (type) => {
    const repository = repositoryWith({ 'text.txt': text, '.gitignore': '.ralph-sessions/\nplan.yaml\n' });
    writeFileSync(join(repository, 'notes.txt'), 'mine\n');
    writeFileSync(join(repository, 'plan.yaml'), shortPlan);
    const before = standing(repository);
    const inside = { cwd: repository };
    const first = startProgram(['run', '--plan', 'plan.yaml', '--json'], inside);
    await first.waitFor(`"type":"${type}"`);
    first.kill('SIGKILL');
    await first.done;
    expect(await runProgram(['resume'], inside)).toMatchObject({ code: 0 });
    const branch = git(repository, 'branch', '--list', 'ralph/*').trim();
    expect(git(repository, 'show', `${branch}:text.txt`)).toBe(
      text.replace('one', 'ONE').replace('nine', 'NINE'),
    );
    expect(standing(repository)).toEqual(before);
    expect(git(repository, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
  },
);

long('the Librarian looks at what is merged, and leaves nothing on the branch', async () => {
  const repository = repositoryWith({ 'text.txt': text, '.gitignore': '.ralph-sessions/\nplan.yaml\n' });
  const seen = join(tempDir(), 'seen');
  const agent = `cat > ${seen}.prompt; pwd > ${seen}; cat text.txt >> ${seen}; echo x > left.txt; echo '{"items": [], "dropped": []}'`;
  const settings = {
    isolation: 'worktree',
    agents: { look: { type: 'command', command: ['sh', '-c', agent] } },
  };
  const found = { goal: 'x', settings: { ...settings, roles: { librarian: 'look' } }, tasks: [oneTask] };
  writeFileSync(join(repository, 'plan.yaml'), JSON.stringify(found));
  const run = ['run', '--plan', 'plan.yaml', '--permissions', 'all', '--yes', '--no-discovery'];
  expect(await runProgram(run, { cwd: repository })).toMatchObject({ code: 0 });
  const [place = '', ...lines] = readFileSync(seen, 'utf8').split('\n');
  expect(place).toMatch(/merged$/);
  expect(lines[0]).toBe('ONE');
  expect(readFileSync(`${seen}.prompt`, 'utf8')).toContain(`Workspace: ${place} (your working directory)`);
  const branch = git(repository, 'branch', '--list', 'ralph/*').trim();
  expect(git(repository, 'ls-tree', '-r', '--name-only', branch)).not.toContain('left.txt');
  expect(existsSync(join(repository, 'left.txt'))).toBe(false);
});

test('at the end the branch is merged only where it was said, and undo and redo leave that alone; without a repository a session does not begin', async () => {
  const repository = repositoryWith({ 'text.txt': text, '.gitignore': '.ralph-sessions/\nplan.yaml\n' });
  writeFileSync(join(repository, 'plan.yaml'), shortPlan);
  const run = ['run', '--plan', 'plan.yaml', '--at-end', 'merge'];
  expect(await runProgram(run, { cwd: repository })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/changes {2}ralph\/\d{6}-\d{6}, merged into your branch/),
  });
  expect(readFileSync(join(repository, 'text.txt'), 'utf8')).toContain('NINE');
  const branch = git(repository, 'branch', '--list', 'ralph/*').trim();
  const undone = await runProgram(['undo', 'two', '--yes'], { cwd: repository });
  expect(undone).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/`ralph-tui redo two --yes --session \d{6}-\d{6}` brings it back/),
  });
  expect(git(repository, 'show', `${branch}:text.txt`)).toBe(text.replace('one', 'ONE'));
  expect(readFileSync(join(repository, 'text.txt'), 'utf8')).toContain('NINE');
  // The printed patch is the work itself.
  git(repository, 'apply', '--reverse', /Saved as a patch: (.*)/.exec(undone.stdout)?.[1] ?? '');
  expect(readFileSync(join(repository, 'text.txt'), 'utf8')).toBe(text.replace('one', 'ONE'));
  /** Runs the command that was printed, as it was printed. */
  const printed = async (way: string, text: string) => {
    const words = new RegExp(`\`ralph-tui (${way} [^\`]+)\``).exec(text)?.[1]?.split(' ') ?? [];
    expect(await runProgram(words, { cwd: repository })).toMatchObject({ code: 0 });
  };
  await printed('redo', undone.stdout);
  expect(git(repository, 'show', `${branch}:text.txt`)).toContain('NINE');
  // The program was killed before git moved anything. The person had agreed: the printed command asks nothing.
  const session = branch.slice('ralph/'.length);
  const journal = join(repository, '.ralph-sessions', session, 'journal.jsonl');
  const { seq, at } = JSON.parse(readFileSync(journal, 'utf8').trim().split('\n').at(-1) ?? '{}');
  const began = {
    type: 'undo.started',
    way: 'undo',
    task: 'two',
    files: ['text.txt'],
    patch: '/p',
    seq: seq + 1,
    at,
  };
  appendFileSync(journal, `${JSON.stringify(began)}\n`);
  await printed('undo', (await runProgram(['status'], { cwd: repository })).stdout);
  expect(git(repository, 'show', `${branch}:text.txt`)).not.toContain('NINE');
  expect(git(repository, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
  const plain = workspaceWith({ 'plan.yaml': shortPlan, 'text.txt': text });
  expect(await runProgram(['run', '--plan', 'plan.yaml'], { cwd: plain })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not a git repository'),
  });
  expect(readdirSync(join(plain, '.ralph-sessions')).filter((name) => /^\d/.test(name))).toEqual([]);
});

test('undo from a second terminal while the session goes on: the session takes the work back itself, and ends without it', async () => {
  const repository = repositoryWith({ 'text.txt': text, '.gitignore': '.ralph-sessions/\nplan.yaml\ngo\n' });
  const go = join(repository, 'go');
  writeFileSync(
    join(repository, 'plan.yaml'),
    `goal: Two files
settings: {isolation: worktree}
tasks:
  - {id: one, title: One, files: [one.txt], run: ['echo 1 > one.txt']}
  - {id: two, title: Two, files: [two.txt], run: ['until [ -e ${go} ]; do sleep 0.05; done; echo 2 > two.txt']}
`,
  );
  const inside = { cwd: repository };
  const host = startProgram(['run', '--plan', 'plan.yaml'], inside);
  onTestFinished(() => host.kill('SIGKILL'));
  await host.waitFor('one done');
  expect(await runProgram(['undo', 'one', '--yes'], inside)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^sent UNDO: signal\./),
  });
  await host.waitFor('one undone: one.txt; patch: ');
  writeFileSync(go, '');
  expect(await host.done).toMatchObject({ code: 0 });
  const branch = git(repository, 'branch', '--list', 'ralph/*').trim();
  const held = git(repository, 'ls-tree', '--name-only', branch).split('\n');
  expect(held).toContain('two.txt');
  expect(held).not.toContain('one.txt');
});

test.runIf(isLongForm)(
  'undo from a second terminal is refused for work that others build on, while the session goes on and after it',
  async () => {
    const repository = repositoryWith({ 'text.txt': text, '.gitignore': '.ralph-sessions/\nplan.yaml\n' });
    const reviewed = 'worktree, review: person, knowledge: {gate: never}}';
    const chain = shortPlan.replace('worktree}', reviewed).replace('Two,', 'Two, blockedBy: [one],');
    writeFileSync(join(repository, 'plan.yaml'), chain);
    const inside = { cwd: repository };
    const host = startProgram(['run', '--plan', 'plan.yaml', '--screen-reader'], { ...inside, input: '' });
    await host.waitFor('one asks you: ');
    expect(await runProgram(['review', 'one', '--accept'], inside)).toMatchObject({ code: 0 });
    await host.waitFor('two asks you: ');
    expect(await runProgram(['undo', 'one', '--yes'], inside)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the session has not ended, and two builds on one'),
    });
    expect(await runProgram(['review', 'two', '--accept'], inside)).toMatchObject({ code: 0 });
    await host.waitFor('a question for you: ');
    const merge = async (request: string) =>
      expect(await runProgram(['answer', request, '--option', 'merge'], inside)).toMatchObject({ code: 0 });
    // A hook that came meanwhile would run at the merge: the person sees it first.
    writeFileSync(join(repository, '.git/hooks/post-merge'), '#!/bin/sh\n', { mode: 0o755 });
    await merge('changes:1:0');
    await host.waitFor(
      'the hook post-merge is new since the session began, and git would act on it; review it',
    );
    await host.waitFor(/(a question for you: [\s\S]*){2}/);
    expect(readFileSync(join(repository, 'text.txt'), 'utf8')).toBe(text);
    await merge('changes:1:1');
    expect(await host.done).toMatchObject({ code: 0 });
    expect(readFileSync(join(repository, 'text.txt'), 'utf8')).toContain('NINE');
    const refused = { code: 1, stderr: expect.stringContaining('two builds on one') };
    expect(await runProgram(['undo', 'one', '--yes'], inside)).toMatchObject(refused);
    expect(await runProgram(['undo', 'two', '--yes'], inside)).toMatchObject({ code: 0 });
    const branch = git(repository, 'branch', '--list', 'ralph/*').trim();
    expect(git(repository, 'show', `${branch}:text.txt`)).toBe(text.replace('one', 'ONE'));
  },
);

test('doctor lists worktrees of a session that is gone, and clears them when asked', async () => {
  const repository = repositoryWith({ 'text.txt': text, '.gitignore': '.ralph-sessions/\nplan.yaml\n' });
  const failing = shortPlan.replace('grep -q NINE', 'grep -q nobody');
  writeFileSync(join(repository, 'plan.yaml'), failing);
  const inside = { cwd: repository };
  expect(await runProgram(['run', '--plan', 'plan.yaml'], inside)).toMatchObject({ code: 1 });
  // Rows are wrapped.
  const doctor = async (): Promise<string> =>
    (await runProgram(['doctor'], inside)).stdout.replace(/\n {8,}/g, ' ');
  const before = await doctor();
  expect(before).not.toContain('is left over from session');
  expect(before).toMatch(/worktrees +\d worktrees? of 1 session; none is left over from a deleted session/);
  rmSync(join(repository, '.ralph-sessions'), { recursive: true });
  const left = await doctor();
  expect(left).toContain('is left over from session');
  expect(left).not.toContain('.;');
  expect((await runProgram(['doctor', '--clear'], inside)).stdout).toContain('removed ');
  expect(await doctor()).toMatch(/worktrees +none\n/);
  expect(git(repository, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
});

test('a merge is verified with what worktree.setup made and worktree.copy brought', async () => {
  const repository = repositoryWith({
    'package.json': '{}\n',
    '.gitignore': '.ralph-sessions/\nplan.yaml\nnode_modules\n.env\nbuild\n',
  });
  writeFileSync(join(repository, '.env'), 'KEY=1\n');
  writeFileSync(
    join(repository, 'plan.yaml'),
    `goal: Two packages
settings:
  isolation: worktree
  worktree: {setup: ['mkdir node_modules'], copy: [.env]}
tasks:
  - id: one
    title: One
    files: [one.txt]
    run: ['touch one.txt', 'mkdir build']
    verify: ['test -d node_modules', 'test ! -e build', 'test -s .env', 'test -n "$RALPH_SLOT"', 'test -e one.txt']
  - {id: two, title: Two, files: [two.txt], run: [touch two.txt], verify: ['test -d node_modules && test -e one.txt'], blockedBy: [one]}
`,
  );
  const result = await runProgram(['run', '--plan', 'plan.yaml', '--yes'], { cwd: repository });
  expect(result.code, result.stdout + result.stderr).toBe(0);
  expect(result.stdout.match(/ merged: /g)).toHaveLength(2);
  expect(result.stdout).not.toContain('failed');
});

test('a verify that needs what git ignores in the attempt fails, and says that worktree.setup has to make it', async () => {
  const repository = repositoryWith({
    'a.txt': 'a\n',
    '.gitignore': '.ralph-sessions/\nplan.yaml\nnode_modules\nout\n',
  });
  writeFileSync(
    join(repository, 'plan.yaml'),
    `goal: A report
settings:
  isolation: worktree
  worktree: {setup: ['mkdir node_modules; touch node_modules/made']}
  retries: {max_attempts: 1}
tasks:
  - {id: one, title: One, run: ['mkdir out; touch out/report node_modules/one a.log'], verify: ['test -e out/report']}
`,
  );
  const result = await runProgram(['run', '--plan', 'plan.yaml', '--yes'], { cwd: repository });
  expect(result.code, result.stdout + result.stderr).toBe(1);
  expect(result.stdout).toContain(
    'verify ran on the commit, without node_modules/one, out, which git ignores: track them, or let worktree.setup make them.',
  );
});

test('worktrees that exist at one time have numbers of their own, and worktree.teardown ends in each what worktree.setup began', async () => {
  const outside = tempDir();
  const repository = repositoryWith({ 'a.txt': 'a\n', '.gitignore': '.ralph-sessions/\nplan.yaml\n' });
  const wait = (file: string) => `while ! ls ${outside}/${file} > /dev/null 2>&1; do sleep 0.05; done`;
  const task = (id: string, ...waits: string[]): string =>
    `  - {id: ${id}, title: ${id}, files: [${id}.txt], run: ['touch ${outside}/began-${id}; ${waits.map(wait).join('; ')}; echo "$RALPH_SLOT" > ${id}.txt'], verify: ['test -s ${id}.txt']}\n`;
  writeFileSync(
    join(repository, 'plan.yaml'),
    `goal: Two servers side by side
settings:
  isolation: worktree
  worktree:
    setup: ['touch ${outside}/up-$RALPH_SLOT']
    teardown: ['mv ${outside}/up-$RALPH_SLOT ${outside}/down-$RALPH_SLOT-$RALPH_TASK', 'test "$RALPH_TASK" = one']
  concurrency: {max_parallel_executors: 2}
tasks:
${task('one', 'began-two')}${task('two', 'began-one', 'down-*-one')}`,
  );
  const result = await runProgram(['run', '--plan', 'plan.yaml', '--yes'], { cwd: repository });
  expect(result.code, result.stdout + result.stderr).toBe(0);
  const slots = Object.fromEntries(
    readdirSync(outside)
      .filter((name) => !name.startsWith('began-'))
      .map((name) => [name.split('-')[2] ?? name, name.split('-')[1] ?? name]),
  );
  // The third one is the tree in which both merges were verified: the second after the first, whose own worktree was gone when the other task ended. The
  // names below are those of its first task.
  const began = readdirSync(outside).filter((name) => /^(?:up|down)-/.test(name));
  expect(began.filter((name) => name.startsWith('down-')).map((name) => name.split('-')[1])).toEqual([
    '0',
    '1',
    '2',
  ]);
  expect(began).toHaveLength(3);
  expect(Object.keys(slots).toSorted()).toEqual(['one', 'two']);
  // A command that fails is said, and the worktree goes all the same.
  expect(result.stdout).toMatch(/worktree\.teardown failed: .*test "\$RALPH_TASK" = one/);
  expect(git(repository, 'worktree', 'list').trim().split('\n').length).toBeLessThanOrEqual(2);
});
