import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { ask } from '../helpers/ask.ts';
import { runProgram, startProgram, startSession } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openScreen, openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { onlySession, release, waitFor, waitingPlan, workspaceWith, writeIn } from '../helpers/workspace.ts';

const open = (
  workspace: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  start: typeof openTerminal = openScreen,
): TestTerminal => {
  const terminal = start(args, { cwd: workspace, columns: 120, rows: 36, env });
  onTestFinished(() => terminal.kill('SIGKILL'));
  return terminal;
};

/** A memory of its own: a picker that counts shall not find what an earlier test left when it was killed. */
const ownMemory = (): Readonly<Record<string, string>> => ({ XDG_STATE_HOME: tempDir() });

/** A workspace whose session was stopped or lost the program that ran it. */
const left = async (signal: 'SIGTERM' | 'SIGKILL', files: Readonly<Record<string, string>>) => {
  const workspace = workspaceWith(files);
  const start = signal === 'SIGKILL' ? startProgram : startSession;
  const host = start(['run', '--plan', 'plan.yaml', '--headless'], { cwd: workspace });
  // Not the command's own text, which names the words as well.
  await host.waitFor('| waiting for first');
  host.kill(signal);
  await host.done;
  return workspace;
};

/** What the program left at work goes only after the grace: so long a recovery takes. */
const stubborn = (): Promise<string> =>
  left('SIGKILL', { 'plan.yaml': stubbornPlan, '.ralph/config.yaml': 'timeouts: {abort_grace: 2s}\n' });
const stubbornPlan = `goal: Be stubborn
tasks:
  - id: first
    title: First
    files: [first.txt]
    run:
      - |
        trap '' TERM
        echo began >> begins.txt
        ${waitFor('first')}
`;

/** The lock as whoever stopped the session holds it until its process has ended: here that takes until the test lets it. */
const stillEnding = (workspace: string): ChildProcess => {
  const ending = spawn('sleep', ['600']);
  onTestFinished(() => void ending.kill('SIGKILL'));
  const directory = join(onlySession(workspace), 'lock');
  const epochs = readdirSync(directory).filter((name) => /^\d+$/.test(name));
  const epoch = Math.max(...epochs.map(Number));
  const stat = readFileSync(`/proc/${ending.pid}/stat`, 'utf8');
  const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  const file = join(directory, String(epoch));
  const text = readFileSync(file, 'utf8')
    .replace(/^pid: .*/m, `pid: ${ending.pid}`)
    .replace(/^start_time: .*/m, `start_time: "${startTime}"`)
    .replace('released: true', 'released: false');
  writeFileSync(file, text);
  return ending;
};

test.each([
  ['in this program', []],
  ['in a process of its own', [['.ralph/config.yaml', 'host: background\n']]],
])('R while the process that stopped the session is not finished yet waits for it: %s', async (_, files) => {
  const workspace = await left('SIGTERM', { 'plan.yaml': waitingPlan });
  for (const [name = '', text = ''] of files) writeIn(workspace, name, text);
  const ending = stillEnding(workspace);
  const terminal = open(workspace);
  await terminal.waitFor(/Stopped[\s\S]*R resume/);
  terminal.press('R');
  if (files.length > 0) {
    await terminal.waitFor('y trust and run');
    terminal.press('y');
  }
  await terminal.waitFor(new RegExp(`process ${ending.pid} .*has not exited yet`));
  ending.kill('SIGKILL');
  await terminal.waitFor(/attempt 2[\s\S]*│ +waiting for first/);
});

test('resume in lines and as a command wait for it as well', async () => {
  const workspace = await left('SIGTERM', { 'plan.yaml': waitingPlan });
  const first = stillEnding(workspace);
  const listener = open(workspace, ['attach', '--screen-reader']);
  listener.type('resume\r');
  await listener.waitFor('has not exited yet');
  first.kill('SIGKILL');
  await listener.waitFor(/resumed by pid[\s\S]*waiting for first/);
  listener.type('quit\r');
  expect(await listener.exit).toBe(4);
  const second = stillEnding(workspace);
  const command = open(workspace, ['resume', '--headless']);
  await command.waitFor('has not exited yet');
  second.kill('SIGKILL');
  await command.waitFor(/resumed by pid[\s\S]*waiting for first/);
});

test('a session that runs is not waited for: resume says at once who runs it', async () => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const host = startProgram(['run', '--plan', 'plan.yaml', '--headless'], { cwd: workspace });
  onTestFinished(() => host.kill('SIGKILL'));
  await host.waitFor('waiting for first');
  const { code, stderr } = await runProgram(['resume', '--headless'], { cwd: workspace });
  expect(code).toBe(1);
  expect(stderr).toContain(`process ${host.pid} is already running this session`);
  const terminal = open(workspace, ['resume']);
  expect(await terminal.exit).toBe(1);
  expect(terminal.isAlternate()).toBe(false);
  expect(terminal.text()).toContain(`process ${host.pid} is already running this session`);
});

test('q on the screen of a resume that waits for the last host leaves the session as it is, and says how to resume it', async () => {
  const workspace = await left('SIGTERM', { 'plan.yaml': waitingPlan });
  stillEnding(workspace);
  const terminal = open(workspace, ['resume']);
  await terminal.waitFor(/Resuming the session[\s\S]*has not exited yet/);
  terminal.press('q');
  expect(await terminal.exit).toBe(4);
  expect(terminal.screen()).toMatch(/Session \d{6}-\d{6} is not running[\s\S]*ralph-tui resume/);
});

test('attach --headless in the moment in which a session stops says how it stopped', async () => {
  const workspace = await left('SIGTERM', { 'plan.yaml': waitingPlan });
  stillEnding(workspace);
  const { code, stdout } = await runProgram(['attach', '--headless'], { cwd: workspace });
  expect(stdout).toMatch(/paused.*\(exit 4\)/);
  expect(code).toBe(4);
});

test.each(['q', 'SIGTERM'] as const)(
  '%s while R takes a session up: nothing runs unseen behind the screen, and no attempt is begun for nothing',
  async (how) => {
    const workspace = await stubborn();
    const terminal = open(workspace, [], {}, how === 'q' ? openScreen : openTerminal);
    await terminal.waitFor(/R resume/);
    terminal.press('R');
    if (how === 'q') terminal.press('q');
    else {
      // A signal overtakes a key on its way: the answer to a second R shows that the first one arrived.
      terminal.press('R');
      await terminal.waitFor('One moment');
      terminal.kill(how);
    }
    await terminal.exit;
    expect(await ask(['status'], { cwd: workspace })).toMatchObject({ status: 'paused', host: null });
    expect(readFileSync(join(workspace, 'begins.txt'), 'utf8')).toBe('began\n');
    expect(terminal.screen()).toMatch(/Session \d{6}-\d{6}: paused/);
  },
);

test('a key that takes a session up, pressed again while it does, does nothing more', async () => {
  const workspace = await stubborn();
  const terminal = open(workspace);
  await terminal.waitFor(/R resume/);
  terminal.press('R');
  terminal.press('R');
  await terminal.waitFor('One moment');
  await terminal.waitFor(/attempt 2[\s\S]*│ +waiting for first/);
  // What the first attempt printed stands there as well.
  await expect.poll(() => readFileSync(join(workspace, 'begins.txt'), 'utf8')).not.toBe('began\n');
  expect(readFileSync(join(workspace, 'begins.txt'), 'utf8')).toBe('began\nbegan\n');
});

test('who begins to write while a session is taken up goes on writing: no letter becomes a key of the new view', async () => {
  const workspace = await stubborn();
  const terminal = open(workspace);
  await terminal.waitFor(/R resume/);
  terminal.press('R');
  terminal.press(':');
  await terminal.waitFor('Commands:');
  terminal.type('qu');
  await terminal.waitFor(/: qu\b/);
  // The session runs: what is open is still there, and so is the view below it.
  await terminal.waitFor(/attached/);
  await terminal.waitFor(() => readFileSync(join(workspace, 'begins.txt'), 'utf8') === 'began\nbegan\n');
  terminal.type('it');
  await terminal.waitFor(/: quit\b/);
  terminal.press('escape');
  await terminal.waitFor(
    (screen) => /running #2/.test(screen) && !screen.includes('Commands:') && !screen.includes('attached'),
  );
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({ host: { pid: terminal.pid } });
});

test('a key in one read with the one that turns to another session is a key of that session', async () => {
  const workspace = workspaceWith({
    'one.yaml': 'goal: One\ntasks: [{title: One, run: [echo one]}]\n',
    'two.yaml': 'goal: Two\ntasks: [{title: Two, run: [echo two]}]\n',
  });
  for (const plan of ['one.yaml', 'two.yaml'])
    expect((await runProgram(['run', '--plan', plan], { cwd: workspace })).code).toBe(0);
  const terminal = open(workspace, [], ownMemory());
  await terminal.waitFor(/^ Two/);
  terminal.press('escape');
  await terminal.waitFor((screen) => !screen.includes('prints the report'));
  terminal.press('S');
  await terminal.waitFor(/Sessions: 2/);
  terminal.press('down');
  terminal.type('\r\u001b');
  await terminal.waitFor((screen) => /^ One/.test(screen) && !screen.includes('prints the report'));
});

test('a session that stopped here and was taken up here is one session: the picker has the one that runs, and leaving tells of it once', async () => {
  const workspace = workspaceWith({
    'short.yaml': 'goal: Short\ntasks: [{title: One, run: [echo one]}]\n',
    'plan.yaml': `goal: Fail once
settings: {retries: {max_attempts: 1}}
tasks:
  - {id: bad, title: Bad, files: [bad.txt], run: ['test -e mended', '${waitFor('go')}']}
`,
  });
  expect((await runProgram(['run', '--plan', 'short.yaml'], { cwd: workspace })).code).toBe(0);
  const terminal = open(workspace, ['run', '--plan', 'plan.yaml', '--yes'], ownMemory());
  await terminal.waitFor('Waiting for you');
  writeIn(workspace, 'mended', '');
  // By its goal: ids are taken from the seconds that are free, which the two memories know differently.
  const failed = z
    .array(z.object({ session_id: z.string(), goal: z.string() }))
    .parse(await ask(['sessions'], { cwd: workspace }))
    .find((row) => row.goal === 'Fail once')?.session_id;
  const here = ['--session', failed ?? ''];
  await ask(['skip', ...here], { cwd: workspace });
  await terminal.waitFor('prints the report');
  await ask(['retry', 'bad', ...here], { cwd: workspace });
  terminal.press('R');
  await terminal.waitFor(/attempt 2[\s\S]*waiting for go/);
  /** The list has the two in either order: their ids are of the same seconds. */
  const pick = async (goal: string): Promise<void> => {
    terminal.press('S');
    await terminal.waitFor('Sessions: 2');
    const chosen = new RegExp(`▌.*${goal}`);
    const rowOf = (what: RegExp): number =>
      terminal.rows().findIndex((row, index) => index > 3 && what.test(row));
    const [cursor, wanted] = [rowOf(/│ *▌/), rowOf(new RegExp(`│.*${goal}`))];
    if (cursor !== wanted) terminal.press(cursor < wanted ? 'down' : 'up');
    await terminal.waitFor(() => terminal.rows().some((row) => chosen.test(row)));
    terminal.press('enter');
  };
  await pick('Short');
  await terminal.waitFor(/─ Complete ─[\s\S]*│ 1 of 1 done/);
  await pick('Fail once');
  await terminal.waitFor(/running #2/);
  terminal.press('q');
  await terminal.waitFor('Leave?');
  terminal.press('enter');
  expect(await terminal.exit).toBe(4);
  expect(terminal.raw().split(`Session ${failed}: `)).toHaveLength(2);
});

/** A session that was paused and left. */
const held = async (): Promise<string> => {
  const workspace = workspaceWith({ 'plan.yaml': waitingPlan });
  const program = startSession(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  await program.waitFor('first | waiting for first');
  await ask(['signal', 'PAUSE'], { cwd: workspace });
  await program.waitFor('PAUSE: pausing');
  program.kill('SIGINT');
  await program.done;
  return workspace;
};

test('`resume` of a held session asks on the screen: Esc leaves it held, Enter goes on', async () => {
  const workspace = await held();
  const terminal = openScreen(['resume'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor(/Continue now\?[\s\S]*The session was paused by/);
  terminal.press('escape');
  await terminal.waitFor((screen) => !screen.includes('Continue now?'));
  expect(await ask(['status'], { cwd: workspace })).toMatchObject({ held: true });
  terminal.press('p');
  await terminal.waitFor(/│ +waiting for first/);
  release(workspace, 'first');
  await terminal.waitFor('waiting for second');
});

test('Enter in the question lifts the hold', async () => {
  const workspace = await held();
  const terminal = openScreen(['resume'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('Continue now?');
  terminal.press('enter');
  await terminal.waitFor(/│ +waiting for first/);
  await expect
    .poll(() => ask(['status'], { cwd: workspace }))
    .toMatchObject({ held: false, status: 'in_progress' });
});
