import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  cleanEnvironment,
  programFile,
  runJson,
  runProgram,
  startProgram,
  startSession,
} from '../helpers/program.ts';
import { processedSignal, processedSignals } from '../helpers/session-files.ts';
import { makeTempDir, removeTempDir, tempDir } from '../helpers/temp-dir.ts';
import { onlySession, waitingPlan, workspaceWith, writeIn } from '../helpers/workspace.ts';

const plan = (settings = '{}'): string => `goal: One
settings: ${settings}
tasks: [{id: one, title: One, files: [one.txt], run: [echo one > one.txt]}]
`;

/** A session that has come to its end. Run once: each test has a copy of its own, which was not begun here and is resumed with `--yes`. */
const ended = async () => {
  template ??= endedIn(makeTempDir());
  const workspace = tempDir();
  cpSync(await template, workspace, { recursive: true });
  return { workspace };
};
let template: Promise<string> | null = null;
const endedIn = async (workspace: string): Promise<string> => {
  writeIn(workspace, 'plan.yaml', plan());
  expect((await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace })).code).toBe(0);
  return workspace;
};
afterAll(async () => {
  if (template !== null) removeTempDir(await template);
});

test.each([
  [['statsu', '--json'], 'unknown command "statsu"', 'did you mean status?'],
  [['--json', 'status'], '"--json" must come after the command', 'write `ralph-tui status … --json`'],
  [['--json'], 'unknown option "--json"', 'see `ralph-tui --help`'],
  [['feedback', '--json'], 'feedback needs a subcommand', 'write `ralph-tui feedback add TEXT…`'],
])('`ralph-tui %s` says what is wrong with the words', async (args, message, hint) => {
  const { code, stdout } = await runProgram(args, { cwd: workspaceWith({}) });
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toEqual({ type: 'error', error: { code: 'usage', message, hint } });
});

test('an option that a signal of this type never reads is refused, and nothing is written', async () => {
  const { workspace } = await ended();
  const sent = (...words: readonly string[]) => runProgram(['signal', ...words], { cwd: workspace });
  for (const words of [
    ['PAUSE', '--resume'],
    ['INFO', 'x', '--apply', 'adjust'],
    ['PAUSE', '--task', 'one'],
    ['STEER', 'x', '--set', 'timeouts.stall=1m'],
    ['SKIP', '--promote', 'a.md'],
  ])
    expect(await sent(...words)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^[^\n]*does not apply to (PAUSE|INFO|STEER|SKIP); it is for [A-Z, ]+\n$/,
      ),
    });
  expect(await runJson(['signals'], { cwd: workspace })).toEqual([]);
});

test('what is sent to a complete session is said to be put aside, and is not told to have held it', async () => {
  const { workspace } = await ended();
  const sent = async (...words: readonly string[]) =>
    (await runProgram(['signal', ...words], { cwd: workspace })).stdout;
  expect(await sent('INFO', 'late')).toMatch(
    /this session has ended: the next `ralph-tui resume \d{6}-\d{6}` will set it/,
  );
  expect(await runProgram(['signal', 'PAUSE'], { cwd: workspace })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('PAUSE was not sent: nothing to hold: the session has ended'),
  });
  expect(await runProgram(['cancel', 'one'], { cwd: workspace })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('CANCEL was not sent: one is done: there is nothing to cancel'),
  });
  expect(await sent('RETRY', '--task', 'one')).toMatch(
    /it will be read at the next `ralph-tui resume \d{6}-\d{6}`/,
  );
  const { code, stdout } = await runProgram(['resume', '--yes'], { cwd: workspace });
  expect(code).toBe(0);
  expect(stdout).toMatch(/no feedback for iteration 2\n/);
  expect(processedSignals(workspace).join()).not.toMatch(/type: (PAUSE|CANCEL)/);
  expect(processedSignal(workspace, 'INFO')).toContain('undelivered: ');
});

test('who ends at a gate is told what decides it before what goes on', async () => {
  const workspace = workspaceWith({ 'plan.yaml': plan('{gates: [plan]}') });
  const { code, stdout } = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  expect(code).toBe(3);
  expect(stdout).toMatch(
    /\n {2}decide {3}cd \S+ && ralph-tui answer plan approve --session \S+\n {2}continue {1}cd \S+ && ralph-tui resume /,
  );
});

test('completion knows every command that help lists, with the options of what it does, and none that is hidden', async () => {
  const { stdout } = await runProgram(['completion', 'bash'], { cwd: workspaceWith({}) });
  expect(stdout).toMatch(/ signals\) .*"list poll confirm withdraw .*--take/);
  expect(stdout).toMatch(/ feedback\) .*"add .*--quality/);
  expect(stdout).not.toMatch(/\bhost\b|\bopen\b/);
  expect(stdout).toMatch(/= --set [\s\S]*"concurrency.max_parallel_executors= .*limits.max_attempts_total=/);
});

test("a file in the mailbox whose name is not a signal's is left alone, and `signals` says so", async () => {
  const { workspace } = await ended();
  writeIn(onlySession(workspace), 'signals/inputs/PAUSE.YAML', 'type: PAUSE\n...\n');
  writeIn(onlySession(workspace), 'signals/inputs/.pause.yml', 'type: PAUSE\n...\n');
  writeIn(onlySession(workspace), 'signals/inputs/.pause.yaml.swp', 'x');
  writeIn(onlySession(workspace), 'signals/inputs/.gitkeep', '');
  const { stdout, stderr } = await runProgram(['signals', '--json'], { cwd: workspace });
  expect(JSON.parse(stdout)).toEqual([]);
  expect(stderr).toMatch(/^ralph-tui: 2 files were not read \([^\n]*\): \.pause\.yml, PAUSE\.YAML\n$/);
});

test('what a killed program left does not run and its logs have ended, and `tasks why` says what goes on with it', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const program = startProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  await program.waitFor('first | waiting for first');
  const why = (task: string) => runJson(['tasks', 'why', task], { cwd: workspace });
  const logs = () => runJson(['logs'], { cwd: workspace });
  expect(await why('first')).toMatchObject({ reasons: ['it is in progress'] });
  expect(await logs()).toMatchObject([{ ended: false }]);
  await runJson(['signal', 'PAUSE'], { cwd: workspace });
  await program.waitFor('PAUSE: pausing');
  const { session_id } = z
    .object({ session_id: z.string() })
    .parse(await runJson(['status'], { cwd: workspace }));
  const held = `the session is held: \`ralph-tui signal RESUME --session ${session_id}\` ends the hold`;
  expect(await why('second')).toMatchObject({ reasons: ['waits for first, which is running', held] });
  program.kill('SIGKILL');
  await program.done;
  const idle = `no process is running the session: \`ralph-tui resume ${session_id} --lift\` continues it`;
  expect(await why('first')).toMatchObject({ status: 'running', reasons: ['it is in progress', idle] });
  expect(await why('second')).toMatchObject({ reasons: ['waits for first, which is running', idle] });
  expect(await logs()).toMatchObject([{ ended: true }]);
});

test('feedback without words is refused; what was written is named as the session names it', async () => {
  const { workspace } = await ended();
  expect(await runProgram(['feedback', 'add', 'mend it', ' '], { cwd: workspace })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^ralph-tui: a feedback text is empty; [^\n]*\n$/),
  });
  const { id, file } = z
    .object({ id: z.string(), file: z.string() })
    .parse(await runJson(['feedback', 'add', 'mend one'], { cwd: workspace }));
  expect(id).toMatch(/^iterations\/2\/feedbacks\/\d{8}-\d{6}$/);
  expect(file).toBe(`${onlySession(workspace)}/${id}/feedbacks.md`);
  const { stdout } = await runProgram(['resume', '--json', '--yes'], { cwd: workspace });
  expect(stdout).toContain(`"directories":["${id}"]`);
});

test('feedback in words says at once that it waits for an agent with a model; a resume leaves the result as it is', async () => {
  const { workspace } = await ended();
  const before = await runJson(['status'], { cwd: workspace });
  const session = basename(onlySession(workspace));
  const { code, stdout } = await runProgram(['feedback', 'add', 'make it nicer'], { cwd: workspace });
  expect(code).toBe(0);
  expect(stdout).toContain(
    `Written feedback needs an agent with a model: \`ralph-tui resume ${session} --agent NAME\``,
  );
  await runProgram(['resume', '--headless', '--yes'], { cwd: workspace });
  const { status, tasks } = z.looseObject({ status: z.string(), tasks: z.unknown() }).parse(before);
  expect(await runJson(['status'], { cwd: workspace })).toMatchObject({
    status,
    tasks,
    iteration: 1,
    feedback_needs_agent: true,
  });
});

test.runIf(existsSync('/dev/full'))(
  'an answer that cannot be kept, for the disk is full, is told and is no success',
  async () => {
    const { workspace } = await ended();
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', '"$0" "$1" status --json > /dev/full', process.execPath, programFile],
      {
        cwd: workspace,
        env: cleanEnvironment(),
        encoding: 'utf8',
      },
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/^ralph-tui: the output could not be written completely: the disk is full\n$/);
  },
);

/** Runs the program where no file may grow by a byte, as on a full disk. */
const withoutRoom = (workspace: string, ...args: readonly string[]) =>
  spawnSync('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, programFile, ...args], {
    cwd: workspace,
    env: cleanEnvironment(),
    encoding: 'utf8',
  });

test('what finds no room on the disk leaves nothing behind: no session, no feedback, no plan', async () => {
  const { workspace } = await ended();
  const { session_id } = z
    .object({ session_id: z.string() })
    .parse(await runJson(['status'], { cwd: workspace }));
  for (const args of [
    ['run', '--plan', 'plan.yaml', '--yes', '--headless'],
    ['feedback', 'add', 'mend it'],
  ]) {
    const { status, stderr } = withoutRoom(workspace, ...args);
    expect({ args, status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/the disk is full; free some space[^\n]*\n$/),
    });
  }
  expect(await runJson(['sessions'], { cwd: workspace })).toMatchObject([{ session_id }]);
  expect(await runJson(['status'], { cwd: workspace })).toMatchObject({ session_id, feedback_waits: false });

  const empty = workspaceWith({});
  const { status, stderr } = withoutRoom(empty, 'init', '--plan');
  expect({ status, stderr }).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('plan.yaml: the disk is full'),
  });
  expect((await runProgram(['init', '--plan'], { cwd: empty })).code).toBe(0);
});

test('a directory in which no session ever began hides none that did', async () => {
  const { workspace } = await ended();
  const { session_id } = z
    .object({ session_id: z.string() })
    .parse(await runJson(['status'], { cwd: workspace }));
  mkdirSync(join(workspace, '.ralph-sessions/991231-235959'));
  expect(await runJson(['status'], { cwd: workspace })).toMatchObject({ session_id });
  await runJson(['signal', 'RETRY', '--task', 'one'], { cwd: workspace });
});

/** Only root may mount, and only where mounts of one's own are possible. */
const mayMount = spawnSync('unshare', ['-m', 'true']).status === 0;

test.runIf(mayMount)('on a read-only file system every command that writes says just that', () => {
  const workspace = workspaceWith({ 'plan.yaml': plan() });
  const { stdout } = spawnSync(
    'unshare',
    [
      '-m',
      'sh',
      '-c',
      `mount -t tmpfs tmpfs "$0" && cd "$0" && echo "$3" > plan.yaml && "$1" "$2" run --plan plan.yaml --yes > /dev/null && mount -o remount,ro "$0"
       for words in "run --plan plan.yaml --yes --headless" "feedback add x" "signal INFO x" "resume"; do "$1" "$2" $words 2>&1; echo "exit $?"; done`,
      workspace,
      process.execPath,
      programFile,
      plan(),
    ],
    { env: cleanEnvironment(), encoding: 'utf8' },
  );
  const lines = stdout.trimEnd().split('\n');
  expect(lines.filter((line) => line !== 'exit 1')).toEqual(
    Array.from({ length: 4 }, () =>
      expect.stringMatching(/^ralph-tui: .*the file system is read-only; remount it read-write/),
    ),
  );
  expect(lines).toHaveLength(8);
});

test('a report that is too large to be read is told to be that, and no full disk', async () => {
  const { workspace } = await ended();
  writeIn(onlySession(workspace), 'iterations/1/review.md', 'x'.repeat(5_000_000));
  const { code, stderr } = await runProgram(['report'], { cwd: workspace });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^ralph-tui: \/[^\n]*review\.md: it is too large to read; [^\n]*\n$/);
});

test.runIf(process.getuid?.() === 0)(
  'a session of another account is told to be unreadable, and hides no other from the list',
  async () => {
    const workspace = await endedIn(tempDir());
    for (const path of ['', '.ralph-sessions']) chmodSync(join(workspace, path), 0o755);
    const id = basename(onlySession(workspace));
    mkdirSync(join(workspace, '.ralph-sessions/200101-000000'));
    const asOther = { cwd: workspace, uid: 65534 };
    const { code, stderr } = await runProgram(['status', '--session', id], asOther);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^ralph-tui: \/[^\n]*: this account is not allowed to read it; give this account permission to read it\n$/,
    );
    expect(await runJson(['sessions'], asOther)).toMatchObject([
      { session_id: id },
      { session_id: '200101-000000' },
    ]);
    chmodSync(join(workspace, '.ralph-sessions'), 0o700);
    const closed = await runProgram(['sessions'], asOther);
    expect(closed).toMatchObject({ code: 1, stdout: '' });
    expect(closed.stderr).toMatch(/\.ralph-sessions: cannot be read by this account/);
  },
);

test('who leaves a session that is held is told what ends the hold: a resume alone is held again', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const program = startSession(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  await program.waitFor('first | waiting for first');
  await runJson(['signal', 'PAUSE'], { cwd: workspace });
  await program.waitFor('PAUSE: pausing');
  program.kill('SIGINT');
  const { code, stdout } = await program.done;
  expect(code).toBe(4);
  expect(stdout).toMatch(/\n {2}continue {1}cd \S+ && ralph-tui resume \d{6}-\d{6} --lift\n/);
});
