import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runJson, runProgram, startSession } from '../helpers/program.ts';
import { sessionText } from '../helpers/session-files.ts';
import { root } from '../helpers/source-tree.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openScreen } from '../helpers/terminal.ts';
import { onlySession, release, waitingPlan, workspaceWith, writeIn } from '../helpers/workspace.ts';

/** Control characters that a terminal would act on; line breaks and tabs are none of them. */
const live = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const one = 'goal: x\ntasks:\n  - id: one\n    title: One\n    run: [echo one]\n';
const bomb = Array.from(
  { length: 24 },
  (_, at) => `k${at}: &k${at} [${at === 0 ? 1 : `*k${at - 1}, *k${at - 1}`}]`,
);

const plans: readonly (readonly [what: string, text: string, says: RegExp])[] = [
  ['an alias bomb', bomb.join('\n'), /plan\.yaml:1: an anchor \(&k0\) is not allowed/],
  ['64 KiB of anchors', `goal: x\n${'a: &a 1\n'.repeat(9_000)}`, /plan\.yaml/],
  ['20,000 nested lists', `goal: ${'['.repeat(20_000)}`, /plan\.yaml.*(nest|deep|level)/i],
  ['a key __proto__', `${one}__proto__: {polluted: 1}\n`, /__proto__ is not allowed/],
  ['the same key twice', `${one}goal: y\n`, /plan\.yaml.*(twice|unique|again|already)/i],
  ['two documents', `${one}---\ngoal: y\n`, /plan\.yaml.*document/i],
  ['a path as task id', one.replace('id: one', 'id: ../../x'), /plan\.yaml:3.*id: must start with a letter/],
  ['a task that waits for itself', `${one}    blockedBy: [one]\n`, /one names itself/],
  [
    'a task that waits for a ghost',
    `${one}    blockedBy: [ghost]\n`,
    /one names ghost, which is not a task in this plan/,
  ],
  [
    'a circle of tasks',
    `${one}    blockedBy: [two]\n  - {id: two, title: Two, blockedBy: [one]}\n`,
    /tasks wait for each other: one → two → one/,
  ],
  [
    '10,000 edges to one ghost',
    `${one}    blockedBy: [${Array.from({ length: 10_000 }, () => 'ghost').join(', ')}]\n`,
    /one names ghost, which is not a task in this plan/,
  ],
  [
    'a circle of 2,000 tasks',
    `goal: x\ntasks:\n${Array.from({ length: 2_000 }, (_, at) => `  - {id: t${at}, title: T, blockedBy: [t${(at + 1) % 2_000}]}`).join('\n')}\n`,
    /tasks wait for each other: t0 → t1 → .* → 1992 more → t1999 → t0/,
  ],
  ['one id twice', `${one}  - {id: one, title: Two}\n`, /the id one is already used by task 1/],
  ['no task', 'goal: x\ntasks: []\n', /tasks: must not be empty/],
  [
    'a file outside the workspace',
    `${one}    files: [../../etc/passwd]\n`,
    /must be a path inside the workspace/,
  ],
  [
    'an environment that runs code',
    one.replace('[echo one]', '[{cmd: x, env: {LD_PRELOAD: y}}]'),
    /LD_PRELOAD/,
  ],
  [
    'a setting that does not exist',
    `${one}settings: {concurency: {max_parallel_executors: 2}}\n`,
    /concurrency/,
  ],
  ['escape sequences in a key', `${one}"\\e]52;c;ZXZpbA==\\a": 1\n`, /plan\.yaml:6.*is not a known key/],
  ['no text at all', '', /plan\.yaml/],
  ['bytes of another kind', 'goal: \u0000\u0001\u0002\n', /plan\.yaml/],
];

test.each(plans)(
  'a plan with %s is refused in a sentence, quickly, and nothing is written',
  async (_, text, says) => {
    const workspace = workspaceWith({ 'plan.yaml': text });
    const result = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(says);
    expect(result.stderr.startsWith('ralph-tui: plan.yaml')).toBe(true);
    expect(result.stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
    expect(result.stderr).not.toMatch(live);
    expect(existsSync(join(workspace, '.ralph-sessions'))).toBe(false);
  },
);

const hostileTasks = {
  'task-1.md':
    '---js\nprocess.exit(9)\n---\n# Task: task-1\n## Title\n\u001b]52;c;ZXZpbA==\u0007Front matter of another language\n',
  'task-2.md':
    '---\nid: ../../x\n---\n# Task\n## Title\nA path as id\n## Dependencies\ndepends_on: [task-2]\n',
  'task-3.md': '---\nid: task-3\n---\n## Title\n\u202eRLO\n## Dependencies\ndepends_on: [task-4, ghost]\n',
  'task-4.md': `---\nid: task-4\n---\n## Dependencies\ndepends_on: [task-3, ${Array.from({ length: 10_000 }, (_, at) => `t${at}`).join(', ')}]\n`,
  'task-5.md': `---\n${bomb.join('\n')}\n---\n`,
};

test('a session whose task files and progress are hostile is shown by every reading command, harmlessly', async () => {
  const workspace = tempDir();
  cpSync(join(root, 'test/fixtures/sessions/v2.2'), join(workspace, '.ralph-sessions'), { recursive: true });
  const folder = '.ralph-sessions/260215-101500/iterations/2';
  for (const [name, text] of Object.entries(hostileTasks))
    writeIn(workspace, `${folder}/tasks/${name}`, text);
  symlinkSync('/etc/passwd', join(workspace, folder, 'tasks/task-6.md'));
  writeIn(
    workspace,
    `${folder}/progress.md`,
    '## Implementation Progress (Iteration 2)\r\n- [/] task-3 (Attempt 9)\n* [X] task-1: (a (nested) note)\n- [x] task-3 (Attempt 1, by kim)\n- [?] task-4\n- [ ] task-2 \u001b[2J\n',
  );
  for (const args of [
    ['status'],
    ['tasks'],
    ['tasks', 'graph'],
    ['tasks', 'ready'],
    ['tasks', 'why', 'task-3'],
    ['sessions'],
    ['signals'],
    ['logs'],
    ['attach'],
  ]) {
    const result = await runProgram(args, { cwd: workspace });
    expect([args.join(' '), result.code, result.stderr]).toEqual([args.join(' '), 0, '']);
    expect(result.stdout).not.toMatch(live);
    expect(result.stdout).not.toContain('root:x:');
  }
  const rows = await runJson(['tasks'], { cwd: workspace });
  expect(rows).toContainEqual(expect.objectContaining({ id: 'task-1', status: 'done' }));
  expect(rows).toContainEqual(expect.objectContaining({ id: 'task-3', status: 'done' }));
  expect(JSON.stringify(rows)).not.toContain('../');
  // Two texts of one task and a circle are problems in sentences, not an end.
  expect(await runJson(['status'], { cwd: workspace })).toMatchObject({
    problems: expect.arrayContaining([expect.objectContaining({ what: expect.stringMatching(/\w/) })]),
  });
});

test('no command prints a live character as JSON, and the values are whole', async () => {
  const title = 't\u009d52;c;ZXZpbA==\u009c\u202e';
  const goal = 'g\u009b31mred\u2066';
  const workspace = workspaceWith({
    'plan.json': JSON.stringify({ goal, tasks: [{ id: 'one', title, run: [`printf '\u009b2J\u202e'`] }] }),
  });
  const ran = await runProgram(['run', '--plan', 'plan.json', '--json', '--yes'], { cwd: workspace });
  expect(ran).toMatchObject({ code: 0, stdout: expect.not.stringMatching(live) });
  for (const args of [['status'], ['tasks'], ['sessions'], ['logs'], ['report'], ['attach'], ['signals']]) {
    const { stdout } = await runProgram([...args, '--json'], { cwd: workspace });
    expect([args[0], stdout.trim() === '']).toEqual([args[0], false]);
    expect(stdout).not.toMatch(live);
  }
  expect(await runJson(['status'], { cwd: workspace })).toMatchObject({ goal });
  expect(await runJson(['tasks'], { cwd: workspace })).toMatchObject([{ title }]);
});

test('what a plan and its programs print cannot steer the terminal, on the screen and in the plain log', async () => {
  const plan = `goal: "Evil \\e]52;c;ZXZpbA==\\a goal"
tasks:
  - id: evil
    title: "\\e[2J\\u202eTitle"
    files: [evil.txt]
    run:
      - |
        printf '\\033]52;c;ZXZpbA==\\007clip \\033]0;owned\\007title \\033[2Jcleared \\233' ; printf '10%%\\r20%%\\r100%%\\n'; printf '\\001\\377\\376\\000\\n'
        touch evil.txt; echo the end
`;
  const workspace = workspaceWith({ 'plan.yaml': plan });
  const result = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  expect(result.stdout).not.toMatch(live);
  expect(result.stdout).toContain('the end');
  const screen = openScreen(['attach'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => screen.kill('SIGKILL'));
  await screen.waitFor('prints the report');
  screen.press('escape');
  await screen.waitFor(/^(?![\s\S]*prints the report)[\s\S]*Title/);
  screen.press('j');
  await screen.waitFor(/the end/);
  expect(screen.raw()).not.toContain('\u001b]52;');
  expect(screen.raw()).not.toContain('\u001b]0;owned');
  expect(screen.screen()).toContain('Title');
});

test('a directory, a pipe, a link and a huge file among the signals stop nothing', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const program = startSession(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  await program.waitFor('first | waiting for first');
  const inputs = join(onlySession(workspace), 'signals/inputs');
  execFileSync(
    'sh',
    [
      '-c',
      'mkdir signal.1.yaml && mkfifo signal.2.yaml && ln -s /etc/passwd signal.3.yaml && ln -s signal.4.yaml signal.4.yaml && truncate -s 2G signal.5.yaml && : > signal.6.yaml',
    ],
    { cwd: inputs },
  );
  await runJson(['signal', 'INFO', 'still heard', '--task', 'first'], { cwd: workspace });
  release(workspace, 'first');
  release(workspace, 'second');
  const result = await program.done;
  expect(result.code).toBe(0);
  expect(readdirSync(workspace)).toContain('second.txt');
  expect(result.stdout).not.toContain('root:x:');
  expect(result.stdout).toMatch(/still heard/);
});

test('progress lines that a person wrote notes on, doubled and put in another order stay theirs, and every task still comes to its end', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const program = startSession(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  await program.waitFor('first | waiting for first');
  const file = 'iterations/1/progress.md';
  // Both stand there, and the program writes no more before `first` ends: a note that is written beside the program's own rewrite can be lost, as in any plain file.
  await expect.poll(() => sessionText(workspace, file)).toMatch(/\[\/\] first[\s\S]*\] second/);
  const lines = sessionText(workspace, file).split('\n');
  const [first = ''] = lines.filter((line) => line.includes('] first'));
  const [second = ''] = lines.filter((line) => line.includes('] second'));
  const theirs = lines
    .map((line) => {
      if (line === first) return `${second} (wait (a bit)) — after lunch`;
      return line === second
        ? `Kim was here (really).\n- [ ] first (an old line)\n${first} [see](x.md)`
        : line;
    })
    .join('\n');
  writeIn(onlySession(workspace), file, theirs);
  release(workspace, 'first');
  await program.waitFor('second | waiting for second');
  release(workspace, 'second');
  expect((await program.done).code).toBe(0);
  const text = sessionText(workspace, file);
  expect(text).toMatch(
    /- \[x\] second .*\(wait \(a bit\)\) — after lunch\nKim was here \(really\)\.\n- \[ \] first \(an old line\)\n- \[x\] first .*\[see\]\(x\.md\)\n/,
  );
  expect(await runJson(['tasks'], { cwd: workspace })).toMatchObject([
    { id: 'first', status: 'done' },
    { id: 'second', status: 'done' },
  ]);
});
