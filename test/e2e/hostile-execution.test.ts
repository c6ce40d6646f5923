import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { paneKey } from '../helpers/pane-key.ts';
import { type ProgramResult, runJson, runProgram } from '../helpers/program.ts';
import { foreignIn, foreignSoFar } from '../helpers/raw-bytes.ts';
import { markedProcesses } from '../helpers/real-session.ts';
import { makeTempDir, removeTempDir } from '../helpers/temp-dir.ts';
import { openScreen, openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { sized } from '../helpers/test-form.ts';
import { onlySession, release, waitFor, workspaceWith } from '../helpers/workspace.ts';

/** Names that are commands or options to whoever is careless with them. */
const names = [
  '; rm -rf canary',
  '$(touch pwned)',
  '`touch pwned`',
  '-rf',
  '--output=pwned',
  '--exec=touch pwned',
  '| touch pwned',
  '%s%n',
  ':!canary',
];

const plan = JSON.stringify({
  goal: '$(touch pwned); rm -rf canary',
  tasks: [
    {
      id: 'evil',
      title: '-rf; $(touch pwned)',
      files: names,
      criteria: names,
      run: [['sh', 'make.sh', ...names]],
      verify: [['sh', '-c', 'test -e "$1"', 'sh', '; rm -rf canary']],
    },
  ],
});

test('`; rm -rf`, `$( )` and a leading dash in names of files, titles and messages run nothing, whatever reads, shows or commits them', async () => {
  const workspace = workspaceWith({
    'plan.yaml': plan,
    canary: 'alive\n',
    'make.sh': 'for name; do echo "$name"; echo made > "./$name"; done\n',
    '.ralph/config.yaml': 'commit: true\n',
  });
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', workspace, ...args], { encoding: 'utf8' });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'begin');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@b');
  expect(await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace })).toMatchObject({ code: 0 });
  expect(
    git('show', '--name-only', '--format=')
      .trim()
      .split('\n')
      .filter((name) => names.includes(name.replaceAll('"', '')))
      .sort(),
  ).toEqual([...names].sort());
  for (const args of [
    ['diff', 'evil'],
    ['report', 'evil'],
    ['logs', 'evil'],
    ['signal', 'INFO', '--', '-rf $(touch pwned)'],
    ['tasks', 'why', 'evil'],
  ])
    expect([args, (await runProgram(args, { cwd: workspace })).code]).toEqual([args, 0]);
  for (const args of [
    ['logs', '--', '-rf'],
    ['logs', '../../x'],
    ['diff', '$(touch pwned)'],
    ['report', '--', '--output=pwned'],
    ['retry', '; rm -rf canary'],
    ['replay', '../..'],
    ['attach', '-rf'],
  ]) {
    const { code, stderr } = await runProgram(args, { cwd: workspace });
    expect([args, code]).toEqual([args, expect.toSatisfy((exit) => exit === 1 || exit === 2)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
  const screen = openScreen(['attach'], { cwd: workspace, columns: 140, rows: 40 });
  onTestFinished(() => screen.kill('SIGKILL'));
  await screen.waitFor('prints the report');
  screen.press('escape');
  await screen.waitFor(/^(?![\s\S]*prints the report)[\s\S]*evil/);
  screen.press(paneKey('changes'));
  await screen.waitFor(
    (shown) => shown.includes('9 files, +9') && names.every((name) => shown.includes(name)),
  );
  screen.press('q');
  await screen.exit;
  expect(readFileSync(join(workspace, 'canary'), 'utf8')).toBe('alive\n');
  expect(existsSync(join(workspace, 'pwned'))).toBe(false);
  expect(readdirSync(workspace)).toEqual(expect.arrayContaining(names));
});

const agents: readonly {
  readonly what: string;
  readonly command: readonly string[];
  readonly says: string;
}[] = [
  { what: 'exit 0 without a result', command: ['true'], says: 'ended without a result' },
  {
    what: 'answer with prose instead of the contract',
    command: ['echo', 'All done!'],
    says: 'ended without a result',
  },
  {
    what: 'answer with JSON of another kind',
    command: ['echo', '{"status": "perfect"}'],
    says: 'ended without a result',
  },
  {
    what: 'print half of an answer',
    command: ['printf', '{"status": "comp'],
    says: 'ended without a result',
  },
];
const twoTasks = `goal: Two
tasks:
  - {id: bad, title: Bad, objective: Try, agent: own}
  - {id: good, title: Good, files: [good.txt], run: [echo good > good.txt]}
`;
const own = (command: readonly string[]): string =>
  `agents: {own: {type: command, command: ${JSON.stringify(command)}}}\nretries: {max_attempts: 1, backoff: [0s]}\n`;

test.each(agents)(
  'agents that $what are tried twice and then asked about; that is no success, and the other task is done',
  async ({ command, says }) => {
    const workspace = workspaceWith({ '.ralph/config.yaml': own(command), 'plan.yaml': twoTasks });
    const { code, stdout } = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
    expect(code).toBe(3);
    expect(stdout).toContain(`bad interrupted: ${says}`);
    expect(stdout).toMatch(/gate: own ended twice in a row without a result for bad. What now\?/);
    await runJson(['cancel', 'bad'], { cwd: workspace });
    await runProgram(['resume', '--headless'], { cwd: workspace });
    expect(await runJson(['tasks'], { cwd: workspace })).toMatchObject([
      { id: 'bad', status: 'cancelled' },
      { id: 'good', status: 'done', attempt: 1 },
    ]);
  },
);

test('an agent that is not installed is refused in a sentence, before a session begins', async () => {
  const workspace = workspaceWith({ '.ralph/config.yaml': own(['no-such-agent']), 'plan.yaml': twoTasks });
  const { code, stderr } = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  expect(code).toBe(2);
  expect(stderr).toMatch(/no-such-agent was not found; put `no-such-agent` on the PATH/);
  expect(await runJson(['sessions'], { cwd: workspace })).toEqual([]);
});

test('agents that print for ever are read without end of memory, steered meanwhile, and gone after an ABORT', async () => {
  const workspace = workspaceWith({
    'plan.yaml':
      'goal: x\nsettings: {timeouts: {abort_grace: 300ms}}\ntasks: [{id: chatty, title: Chatty, run: [yes it goes on]}]\n',
  });
  const screen = openScreen(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  onTestFinished(() => screen.kill('SIGKILL'));
  await screen.waitFor('it goes on');
  screen.press('?');
  await screen.waitFor('Keys');
  screen.press('escape');
  await runJson(['signal', 'ABORT', 'enough'], { cwd: workspace });
  await screen.waitFor(/Aborted by .*Nothing was reverted/);
  expect(markedProcesses(onlySession(workspace))).toEqual([]);
  expect(await runJson(['status'], { cwd: workspace })).toMatchObject({ status: 'aborted' });
});

/** In the short form less than the bound of the memory: there `base/spawn.test.ts` shows that no piece is kept. */
const floodSize = sized({ short: 20_000_000, long: 157_000_000 });
const floodPlan = `goal: Print without a line's end
tasks:
  - id: flood
    title: Flood
    files: [flood.txt]
    run:
      - "head -c ${floodSize} /dev/zero | tr '\\\\0' x"
      - echo the end > flood.txt
  - id: other
    title: Other
    files: [other.txt]
    run: ['${waitFor('other')}', echo other > other.txt]
`;

/** The most memory the process ever had resident, in MB. */
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

test(`${floodSize / 1_000_000} MB of output in one line keep the screen alive and the memory bounded, and the log file has all of it`, async () => {
  const workspace = workspaceWith({ 'plan.yaml': floodPlan });
  const screen = openTerminal(['run', '--plan', 'plan.yaml'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => screen.kill('SIGKILL'));
  await screen.waitFor('xxxxxxxx');
  // Keys are answered while it prints, and afterwards.
  screen.press('?');
  await screen.waitFor(/Keys|Help/);
  screen.press('escape');
  // Done while the other one still works: nothing waits for it.
  await screen.waitFor(/✓ flood/);
  screen.press('j');
  await screen.waitFor(/│ +waiting for other/);
  screen.press('k');
  await screen.waitFor('xxxxxxxx');
  release(workspace, 'other');
  await screen.waitFor('Waiting for you');
  expect(peakOf(screen.pid)).toBeLessThan(250);
  expect(statSync(join(onlySession(workspace), 'logs/flood-r1.log')).size).toBe(floodSize);
  expect(foreignSoFar(screen.raw())).toBe('');
});

const esc = '\u001b';
const clip = ']52;c;ZXZpbA==';
const turned = 'exe\u202etxt.\u200b\u2066hidden\u2069\ufeff';

/** Text that wants to steer the terminal of whoever reads it, or to show something else than it is (test/README.md, Hostile input, Terminal). */
const hostile: Readonly<Record<string, string | Uint8Array>> = {
  'OSC 52 ended by BEL': `${esc}${clip}\u0007`,
  'OSC 52 ended by ST': `${esc}${clip}${esc}\\`,
  'OSC 52 of C1 bytes': '\u009d52;c;ZXZpbA==\u009c',
  'OSC 52 without an end': `${esc}${clip}`,
  'a prompt forged by cursor movement': `${esc}[2J${esc}[HAllow rm -rf? ${esc}[7m[y]${esc}[0m`,
  'a title': `${esc}]0;owned\u0007`,
  'a device query that answers into the shell': `${esc}[6n${esc}[c${esc}P$q"p${esc}\\`,
  'right-to-left override and zero width': turned,
  'a progress bar': '10%\r20%\r100%',
  backspaces: 'safe\b\b\b\bevil',
  'a huge line': `${'x'.repeat(200_000)}${esc}[5m`,
  'binary output': Uint8Array.from({ length: 4_096 }, (_, at) => (at * 7 + (at >> 8)) & 0xff),
};
const kinds = Object.keys(hostile);

const textOf = (content: string | Uint8Array): string =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);

/** A task each: the text is in its title, in its output and, as far as a name can hold it, in the name of its file. */
const bytesPlan = (): string => {
  const tasks = kinds.map((name, at) => {
    const text = textOf(hostile[name] ?? '').slice(0, 300);
    const file = `file-${at}-${text.replaceAll(/[\u0000-\u001f\u007f/\ufffd]/g, '').slice(0, 40)}`;
    return {
      id: `t${at}`,
      title: `Title ${text}`,
      files: [file],
      run: [`cat bytes-${at}; echo; echo the end of ${at}`, ['touch', '--', file]],
    };
  });
  const goal = `Goal ${textOf(hostile['OSC 52 without an end'] ?? '')}`;
  return JSON.stringify({ goal, tasks, settings: { concurrency: { max_parallel_executors: 12 } } });
};

const shared = makeTempDir();
let screen: TestTerminal;
const seen: { readonly shown: readonly string[]; readonly raw: string }[] = [];
const readings = ['signals', 'status', 'tasks', 'sessions', 'report t4', 'logs t0', 'logs t4', 'logs t11'];
let results: readonly ProgramResult[] = [];

/** The last line a task printed: that of the tenth begins as the first one's does. */
const endOf = (at: number): RegExp => new RegExp(`the end of ${at}$`, 'm');

/** One session with all of them, each looked at in turn as by a person who presses j. */
beforeAll(async () => {
  for (const [at, name] of kinds.entries()) writeFileSync(join(shared, `bytes-${at}`), hostile[name] ?? '');
  writeFileSync(join(shared, 'plan.yaml'), bytesPlan());
  screen = openScreen(['run', '--plan', 'plan.yaml'], { cwd: shared, columns: 140, rows: 40 });
  await screen.waitFor(/Waiting for you|prints the report/);
  const inputs = join(onlySession(shared), 'signals/inputs');
  for (const [at, name] of kinds.entries()) {
    const message = JSON.stringify(`Read ${textOf(hostile[name] ?? '').slice(0, 3_000)}`);
    writeFileSync(
      join(inputs, `signal.${at}-${turned}.yaml`),
      `type: INFO\ntarget: Planner\nmessage: ${message}\n...\n`,
    );
  }
  // No Esc here: nothing shows that it was read, and with a key behind it in one read it would be Alt and that key.
  await screen.waitFor(/INFO/);
  // From the last one the first is a step that shows.
  screen.press('G');
  await screen.waitFor(endOf(kinds.length - 1));
  for (const [at] of kinds.entries()) {
    const from = screen.raw().length;
    screen.press(at === 0 ? 'g' : 'j');
    const shown = await screen.waitFor(endOf(at));
    seen.push({ shown: shown.split('\n'), raw: screen.raw().slice(from) });
  }
  results = await Promise.all(readings.map((words) => runProgram(words.split(' '), { cwd: shared })));
});
afterAll(() => {
  screen.kill('SIGKILL');
  removeTempDir(shared);
});

test.each(kinds.map((name, at) => ({ name, at })))(
  '$name in title, message, file name and output reaches no terminal, and the log file holds it byte for byte',
  ({ name, at }) => {
    const { shown, raw } = seen[at] ?? { shown: [], raw: 'nothing was shown' };
    // A frame may still be under way where the piece ends.
    expect(foreignSoFar(raw)).toBe('');
    // The head of the screen stands where it stood: nothing was drawn over it, least of all a prompt.
    expect(shown[1]).toMatch(/^ Plan › .*(?:\[Work\]|\[Learn\])/);
    expect(shown.slice(0, 4).join('\n')).not.toContain('Allow');
    const log = readFileSync(join(onlySession(shared), `logs/t${at}-r1.log`));
    expect(log.includes(Buffer.from(hostile[name] ?? ''))).toBe(true);
  },
);

test.each(readings.map((words, at) => ({ words, at })))(
  '`$words` prints all of that harmlessly',
  ({ at }) => {
    const { code, stdout, stderr } = results[at] ?? { code: -1, stdout: '', stderr: '' };
    expect([code, foreignIn(stdout), stderr]).toEqual([0, '', '']);
  },
);

test('from the first byte to the last the terminal got no sequence that is not ours', () => {
  expect(foreignSoFar(screen.raw())).toBe('');
});
