import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../helpers/ask.ts';
import { runProgram } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openScreen, openTerminal, type TestTerminal } from '../helpers/terminal.ts';
import { sized } from '../helpers/test-form.ts';
import { onlySession, workspaceWith, writeIn } from '../helpers/workspace.ts';

/** A plan whose only command leaves a mark; what it teaches is carried on, so that it ends by itself. */
const markingPlan = (mark: string, settings = ''): string =>
  `settings: {knowledge: {approval_timeout: 0s}${settings}}\ngoal: Leave a mark\ntasks:\n  - {id: mark, title: Mark, files: [${mark}], run: [touch ${mark}], verify: [test -e ${mark}]}\n`;

/** Fails until somebody makes the file `go`. */
const waitingForGo = markingPlan('marked', ', retries: {max_attempts: 1}').replace(
  'run: [',
  'run: [test -e go, ',
);

/** A workspace, and the memory of one person. */
const repository = (files: Readonly<Record<string, string>>) => {
  const workspace = workspaceWith(files);
  return { workspace, env: { XDG_STATE_HOME: tempDir() } };
};

type Place = ReturnType<typeof repository>;

const run = (args: readonly string[], { workspace, env }: Place) =>
  runProgram(args, { cwd: workspace, env, asked: true });

const open = (args: readonly string[], { workspace, env }: Place, start = openScreen): TestTerminal => {
  const terminal = start(args, { cwd: workspace, env, columns: 100, rows: 30, asked: true });
  onTestFinished(() => terminal.kill('SIGKILL'));
  return terminal;
};

const has = ({ workspace }: Place, name: string): boolean => existsSync(join(workspace, name));

/** Its session has ended: beside one that runs another start is asked about. */
const nobodyRuns = ({ workspace, env }: Place): Promise<void> =>
  expect.poll(() => ask(['status'], { cwd: workspace, env })).toMatchObject({ host: null });

/** Runs a plan with nobody asked, because it is trusted: the screen comes up by itself. */
const leavesMark = async (place: Place, mark: string): Promise<void> => {
  rmSync(join(place.workspace, mark));
  const terminal = open(['run', '--plan', 'plan.yaml'], place);
  await terminal.waitFor(() => has(place, mark));
  await nobodyRuns(place);
  expect(terminal.raw()).not.toContain('[y/N]');
};

test('a plan is shown and asked about in the terminal: no runs nothing, yes runs it, and the same bytes are not asked about again', async () => {
  const place = repository({ 'plan.yaml': markingPlan('marked') });
  const refused = open(['run', '--plan', 'plan.yaml'], place);
  const question = await refused.waitFor('[y/N]');
  expect(question).toContain('plan.yaml would run 2 commands in 1 task:');
  expect(question).toContain('mark: touch marked');
  expect(question).toContain('mark: verify: test -e marked');
  refused.type('n\r');
  expect(await refused.exit).toBe(0);
  expect(has(place, 'marked')).toBe(false);
  expect(has(place, '.ralph-sessions')).toBe(false);
  const agreed = open(['run', '--plan', 'plan.yaml'], place);
  await agreed.waitFor('[y/N]');
  agreed.type('y\r');
  await agreed.waitFor(() => has(place, 'marked'));
  await nobodyRuns(place);
  const headless = await run(['run', '--plan', 'plan.yaml', '--headless'], place);
  expect(headless.code).toBe(0);
});

test.each([
  ['ctrl-C', '\u0003'],
  ['ctrl-D', '\u0004'],
])('%s at the question is no', async (_, key) => {
  const place = repository({ 'plan.yaml': markingPlan('marked') });
  // The terminal of the kernel makes these keys a signal and an end.
  const left = open(['run', '--plan', 'plan.yaml'], place, openTerminal);
  await left.waitFor('[y/N]');
  left.type(key);
  await left.waitFor('Nothing was started.');
  expect(await left.exit).toBe(0);
  expect(has(place, 'marked')).toBe(false);
});

test('a plan that changed is asked about again, with the day on which it was trusted', async () => {
  const place = repository({ 'plan.yaml': markingPlan('first') });
  expect((await run(['run', '--plan', 'plan.yaml', '--yes'], place)).code).toBe(0);
  await leavesMark(place, 'first');
  writeIn(place.workspace, 'plan.yaml', markingPlan('second'));
  const headless = await run(['run', '--plan', 'plan.yaml'], place);
  expect(headless.code).toBe(3);
  expect(headless.stderr).toContain('plan.yaml (changed since last trusted)');
  expect(has(place, 'second')).toBe(false);
  const terminal = open(['run', '--plan', 'plan.yaml'], place);
  expect(await terminal.waitFor('[y/N]')).toMatch(
    /plan\.yaml: changed since you trusted it on \d{4}-\d\d-\d\d \d\d:\d\d\./,
  );
  terminal.type('\r');
  expect(await terminal.exit).toBe(0);
  expect(has(place, 'second')).toBe(false);
});

test.each([[['--headless']], [['--json']], [['--background']], [[]]])(
  'without anybody to ask %j ends with exit 3, one sentence and nothing written',
  async (flags) => {
    const place = repository({ 'plan.yaml': markingPlan('marked') });
    const result = await run(['run', '--plan', 'plan.yaml', ...flags], place);
    expect(result.code).toBe(3);
    const said = result.stdout + result.stderr;
    expect(said.trim().split('\n')).toHaveLength(1);
    expect(said).toContain('plan.yaml would run 2 commands in 1 task');
    expect(said).toContain('--yes');
    expect(readdirSync(place.workspace)).toEqual(['plan.yaml']);
  },
);

test('--headless on a terminal is not asked either', async () => {
  const place = repository({ 'plan.yaml': markingPlan('marked') });
  const terminal = open(['run', '--plan', 'plan.yaml', '--headless'], place);
  expect(await terminal.exit).toBe(3);
  expect(has(place, 'marked')).toBe(false);
});

test('--yes is an answer like any other: it is remembered, also for a background host and what comes after it', async () => {
  const place = repository({ 'plan.yaml': markingPlan('marked'), '.ralph/config.yaml': 'commit: true\n' });
  const started = await run(['run', '--plan', 'plan.yaml', '--background', '--yes', '--json'], place);
  expect(started.code).toBe(0);
  const attached = await run(['attach', '--json'], place);
  expect(attached.stdout).toContain('"session.stopped"');
  await nobodyRuns(place);
  expect(has(place, 'marked')).toBe(true);
  expect((await run(['run', '--plan', 'plan.yaml'], place)).code).toBe(0);
});

test('where nothing can be remembered --yes still runs, and the next start asks again', async () => {
  const workspace = workspaceWith({ 'plan.yaml': markingPlan('marked') });
  const place = { workspace, env: { XDG_STATE_HOME: join(workspace, 'plan.yaml') } };
  expect((await run(['run', '--plan', 'plan.yaml', '--background', '--yes'], place)).code).toBe(0);
  await run(['attach', '--json'], place);
  await nobodyRuns(place);
  expect(has(place, 'marked')).toBe(true);
  expect((await run(['run', '--plan', 'plan.yaml'], place)).code).toBe(3);
});

test('settings that widen what may be done are part of the question, in the plan and in the configuration; harmless ones are not', async () => {
  const place = repository({
    'plan.yaml': markingPlan('marked', ', permissions: all'),
    '.ralph/config.yaml':
      'agents: {own: {type: command, command: [./bin/agent]}}\nui: {notify: osc, ascii: true}\nretries: {max_attempts: 2}\n',
  });
  const terminal = open(['run', '--plan', 'plan.yaml'], place);
  const question = await terminal.waitFor('[y/N]');
  expect(question).toContain('and sets 1 key:');
  expect(question).toContain('sets permissions: "all"');
  expect(question).toContain('.ralph/config.yaml sets 2 keys:');
  expect(question).toContain('./bin/agent');
  expect(question).toContain('ui.notify: "osc"');
  expect(question).not.toContain('max_attempts');
  terminal.type('y\r');
  await terminal.waitFor(() => has(place, 'marked'));
  await nobodyRuns(place);
  appendFileSync(join(place.workspace, '.ralph/config.yaml'), 'commit: true\n');
  const again = await run(['run', '--plan', 'plan.yaml'], place);
  expect(again.code).toBe(3);
  expect(again.stderr).toContain('.ralph/config.yaml (changed since last trusted) sets 3 keys');
  expect(again.stderr).not.toContain('plan.yaml would');
});

test('a command cannot drive the terminal that asks about it, nor push its end out of sight', async () => {
  const hostile = `touch marked #${' '.repeat(400)}; echo \\e]0;owned\\a \\u202e`;
  const place = repository({
    'plan.yaml': `goal: x\ntasks:\n  - {id: a, title: A, run: ["${hostile}"]}\n`,
  });
  const terminal = open(['run', '--plan', 'plan.yaml'], place);
  const question = await terminal.waitFor('[y/N]');
  expect(question).toContain('a: touch marked # ; echo');
  expect(terminal.raw()).not.toContain('\u001b]0;owned');
  expect(terminal.raw()).not.toContain('\u202e');
});

test('what is asked about is all that would run: a line behind a comment stands on its own, and nothing in an escape sequence is left out', async () => {
  const place = repository({
    'plan.yaml': `goal: x\ntasks:\n  - {id: a, title: A, run: ["# say hello\\n\\n  touch second; \\e]0;; touch third\\a", "true"]}\n`,
    'package.json': JSON.stringify({ name: 'sample', scripts: { test: 'true # quietly\ntouch fourth' } }),
  });
  const terminal = open(['run', '--plan', 'plan.yaml'], place);
  const question = await terminal.waitFor('[y/N]');
  expect(question).toContain('would run 2 commands in 1 task');
  expect(question).toMatch(
    /a: # say hello\n *a, line 3: touch second; \\u001b\]0;; touch third\\u0007\n *a: true/,
  );
  rmSync(join(place.workspace, 'plan.yaml'));
  const checks = open(['run'], place);
  expect(await checks.waitFor('[y/N]')).toMatch(
    /npm run test is: true # quietly\n *npm run test, line 2: touch fourth/,
  );
});

test('the start screen asks in its own words: Esc runs nothing, y runs, and what is trusted starts at once', async () => {
  const place = repository({ 'plan.yaml': markingPlan('marked') });
  const terminal = open([], place);
  await terminal.waitFor(/▌plan\.yaml[\s\S]*Esc quit/);
  terminal.press('enter');
  await terminal.waitFor(
    /Trust and run this\?[\s\S]*plan\.yaml would run 2 commands in 1 task:[\s\S]*touch marked/,
  );
  terminal.press('escape');
  await terminal.waitFor(/^(?![\s\S]*Trust and run this\?)[\s\S]*Start a session/);
  expect(has(place, '.ralph-sessions')).toBe(false);
  terminal.press('enter');
  await terminal.waitFor('y trust and run');
  // Pressed twice by habit, the key that chose the plan agrees to nothing.
  terminal.press('enter');
  // The plan becomes another one while it is being looked at: the answer was to what is shown.
  writeIn(place.workspace, 'plan.yaml', markingPlan('other'));
  terminal.press('y');
  await terminal.waitFor('touch other');
  expect(has(place, '.ralph-sessions')).toBe(false);
  terminal.press('y');
  await terminal.waitFor(() => has(place, 'other'));
  await nobodyRuns(place);
  expect(has(place, 'marked')).toBe(false);
  await leavesMark(place, 'other');
});

test("the repository's checks are asked about with the scripts behind them, again when one changes", async () => {
  const manifest = (test: string): string => JSON.stringify({ name: 'sample', scripts: { test } });
  const place = repository({ 'package.json': manifest('touch tested') });
  const terminal = open(['run'], place);
  const question = await terminal.waitFor('[y/N]');
  expect(question).toContain("this repository's checks would run 1 command in 1 task:");
  expect(question).toContain('npm run test is: touch tested');
  terminal.type('y\r');
  await terminal.waitFor(() => has(place, 'tested'));
  terminal.kill('SIGTERM');
  await terminal.exit;
  writeIn(place.workspace, 'package.json', manifest('touch owned'));
  const changed = await run(['run'], place);
  expect(changed.code).toBe(3);
  expect(changed.stderr).toContain("this repository's checks (changed since last trusted)");
  expect(has(place, 'owned')).toBe(false);
});

test('a session that was begun here goes on unasked, one that came with the repository is asked about', async () => {
  const place = repository({
    'plan.yaml': `settings: {retries: {max_attempts: 1}}\n${markingPlan('marked')}`,
  });
  writeIn(place.workspace, 'plan.yaml', markingPlan('marked').replace('run: [', 'run: [test -e go, '));
  expect((await run(['run', '--plan', 'plan.yaml', '--yes'], place)).code).toBe(1);
  const session = basename(onlySession(place.workspace));
  writeIn(place.workspace, 'go', '');
  expect((await run(['retry', 'mark'], place)).code).toBe(0);
  const stranger = repository({ go: '' });
  cpSync(join(place.workspace, '.ralph-sessions'), join(stranger.workspace, '.ralph-sessions'), {
    recursive: true,
  });
  expect((await run(['resume'], place)).code).toBe(0);
  expect(has(place, 'marked')).toBe(true);

  const refused = await run(['resume', session], stranger);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain(`session ${session} was not started here and would run`);
  expect(has(stranger, 'marked')).toBe(false);
  const terminal = open([], stranger);
  await terminal.waitFor(/R resume[\s\S]*q quit[\s\S]*╰─/);
  terminal.press('R');
  await terminal.waitFor(/Trust and run this\?[\s\S]*mark: touch marked/);
  terminal.press('q');
  await terminal.waitFor((screen) => !screen.includes('Trust and run this?'));
  expect(has(stranger, 'marked')).toBe(false);
  terminal.press('R');
  await terminal.waitFor('y trust and run');
  terminal.press('y');
  await terminal.waitFor(() => has(stranger, 'marked'));
});

test('a session that came with the repository is asked about however long the first line of its journal is', async () => {
  const place = repository({ 'plan.yaml': waitingForGo });
  expect((await run(['run', '--plan', 'plan.yaml', '--yes'], place)).code).toBe(1);
  expect((await run(['retry', 'mark'], place)).code).toBe(0);
  const journal = join(onlySession(place.workspace), 'journal.jsonl');
  const padded = readFileSync(journal, 'utf8').replace('"goal":"', `"goal":"${'x'.repeat(1_500_000)}`);
  writeFileSync(journal, padded);
  writeIn(place.workspace, 'go', '');
  const refused = await run(['resume'], place);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain('was not started here and would run');
  expect(has(place, 'marked')).toBe(false);
});

test.each([
  [
    'instructions',
    (session: string) => [`${session}.instructions.md`, '---\nworktree: {setup: [touch owned]}\n---\n'],
    /the plan, instructions and hooks of session \S+ \(changed since last trusted\) would set 1 key/,
  ],
  [
    'a plan',
    (session: string) => [
      `${session}/plan.source.yaml`,
      waitingForGo.replace('test -e go', 'test -e go || true'),
    ],
    /the plan, instructions and hooks of session \S+ \(changed since last trusted\)/,
  ],
])('%s that somebody wrote beside a session does not slip into a resume', async (_, written, question) => {
  const place = repository({ 'plan.yaml': waitingForGo });
  expect((await run(['run', '--plan', 'plan.yaml', '--yes'], place)).code).toBe(1);
  expect((await run(['retry', 'mark'], place)).code).toBe(0);
  const session = onlySession(place.workspace);
  const [file = '', text = ''] = written(basename(session));
  writeFileSync(join(session, '..', file), text);
  const refused = await run(['resume'], place);
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringMatching(question)]);
  expect(has(place, 'owned')).toBe(false);
  writeIn(place.workspace, 'go', '');
  expect((await run(['resume', '--yes'], place)).code).toBe(0);
});

test.each([
  ['a setting', { type: 'settings.changed', set: { 'permissions.allow': ['*'] } }],
  [
    'a command',
    {
      type: 'task.commands-edited',
      task: 'mark',
      invocation: 'i',
      run: [],
      verify: [{ cmd: 'touch owned' }],
      on_steer: null,
    },
  ],
  [
    'an answer',
    { type: 'question.answered', request: 'r', option: 'yes', answer: 'yes', by: 'you', signal: null },
  ],
])('%s that somebody added to the journal does not count for a resume', async (_, body) => {
  const place = repository({ 'plan.yaml': waitingForGo });
  expect((await run(['run', '--plan', 'plan.yaml', '--yes'], place)).code).toBe(1);
  expect((await run(['retry', 'mark'], place)).code).toBe(0);
  const journal = join(onlySession(place.workspace), 'journal.jsonl');
  const seq = readFileSync(journal, 'utf8').trimEnd().split('\n').length + 1;
  appendFileSync(journal, `${JSON.stringify({ ...body, seq, at: '2026-02-15T03:15:00.000Z' })}\n`);
  const refused = await run(['resume'], place);
  expect([refused.code, refused.stderr]).toEqual([
    3,
    expect.stringMatching(
      /the journal of session \S+ would be used with 1 line that this program did not write/,
    ),
  ]);
  expect((await run(['resume', '--background'], place)).code).toBe(3);
  expect(has(place, 'owned')).toBe(false);
  writeIn(place.workspace, 'go', '');
  expect((await run(['resume', '--yes'], place)).code).not.toBe(3);
});

test('a session without a record of its journal says why it asks, and asks once', async () => {
  const place = repository({ 'plan.yaml': waitingForGo });
  expect((await run(['run', '--plan', 'plan.yaml', '--yes'], place)).code).toBe(1);
  expect((await run(['retry', 'mark'], place)).code).toBe(0);
  rmSync(join(place.env.XDG_STATE_HOME, 'ralph-tui/journals'), { recursive: true });
  const refused = await run(['resume'], place);
  expect([refused.code, refused.stderr]).toEqual([
    3,
    expect.stringContaining('an earlier version kept none, and you are asked once'),
  ]);
  expect((await run(['resume', '--yes'], place)).code).toBe(1);
  expect((await run(['retry', 'mark'], place)).code).toBe(0);
  const again = await run(['resume'], place);
  expect([again.code, again.stderr]).toEqual([1, expect.not.stringContaining('kept none')]);
});

test('a configuration that changed since the start does not slip into a resume', async () => {
  const place = repository({ 'plan.yaml': waitingForGo });
  expect((await run(['run', '--plan', 'plan.yaml', '--yes'], place)).code).toBe(1);
  writeIn(place.workspace, '.ralph/config.yaml', 'agents: {own: {type: command, command: [touch, owned]}}\n');
  const result = await run(['resume'], place);
  expect(result.code).toBe(3);
  expect(result.stderr).toContain('.ralph/config.yaml sets 1 key');
  expect((await run(['resume', '--yes'], place)).code).not.toBe(3);
});

test('doctor tells what is trusted, and `config distrust` takes it back', async () => {
  const place = repository({ 'plan.yaml': markingPlan('marked'), '.ralph/config.yaml': 'commit: true\n' });
  const trust = async (): Promise<unknown> => {
    const findings = await ask(['doctor'], { cwd: place.workspace, env: place.env });
    return Array.isArray(findings) ? findings.find(({ check }) => check === 'trust')?.found : null;
  };
  expect(await trust()).toBe('not trusted yet: plan.yaml · not trusted yet: .ralph/config.yaml');
  expect((await run(['run', '--plan', 'plan.yaml', '--yes'], place)).code).toBe(0);
  expect(await trust()).toBe('plan.yaml is trusted · .ralph/config.yaml is trusted');
  writeIn(place.workspace, '.ralph/config.yaml', 'commit: true\nhost: background\n');
  expect(await trust()).toMatch(/\.ralph\/config\.yaml: changed since you trusted it on \d{4}-/);
  const withdrawn = await run(['config', 'distrust'], place);
  expect(withdrawn.stdout).toContain('.ralph/config.yaml, plan.yaml, session ');
  expect(await trust()).toBe('not trusted yet: plan.yaml · not trusted yet: .ralph/config.yaml');
  expect((await run(['config', 'distrust'], place)).stdout).toContain('Nothing was trusted');
});

test('the memory is private, and one that others could write is not believed', async () => {
  const place = repository({ 'plan.yaml': markingPlan('marked') });
  expect((await run(['run', '--plan', 'plan.yaml', '--yes'], place)).code).toBe(0);
  const directory = join(place.env.XDG_STATE_HOME, 'ralph-tui/trust');
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
  expect((await run(['run', '--plan', 'plan.yaml'], place)).code).toBe(0);
  chmodSync(directory, 0o770);
  expect((await run(['run', '--plan', 'plan.yaml'], place)).code).toBe(3);
  chmodSync(directory, 0o700);
  for (const name of readdirSync(directory)) writeFileSync(join(directory, name), 'no memory');
  expect((await run(['run', '--plan', 'plan.yaml'], place)).code).toBe(3);
});

test('many programs that remember at once lose nothing', async () => {
  const numbers = Array.from({ length: sized({ short: 4, long: 8 }) }, (_, index) => index);
  const place = repository(
    Object.fromEntries(numbers.map((index) => [`plan-${index}.yaml`, markingPlan(`mark-${index}`)])),
  );
  const plans = numbers.map((index) => ['run', '--plan', `plan-${index}.yaml`]);
  const first = await Promise.all(plans.map((args) => run([...args, '--yes'], place)));
  expect(first.map(({ code }) => code)).toEqual(plans.map(() => 0));
  for (const args of plans) expect((await run(args, place)).code).toBe(0);
});

test('a session that came with the repository gives nobody other keys, so that none of them agrees by mistake', async () => {
  const keys = 'ui: {keys: {trust.yes: enter, end.retry: Z}}';
  const place = repository({ 'plan.yaml': waitingForGo, '.ralph/config.yaml': keys });
  expect((await run(['run', '--plan', 'plan.yaml', '--yes'], place)).code).toBe(1);
  const own = open([], place);
  await own.waitFor('Z retry');
  const stranger = repository({ go: '' });
  cpSync(join(place.workspace, '.ralph-sessions'), join(stranger.workspace, '.ralph-sessions'), {
    recursive: true,
  });
  const terminal = open([], stranger);
  await terminal.waitFor(/ r retry[\s\S]*q quit[\s\S]*╰─/);
  terminal.press('r');
  await terminal.waitFor('y trust and run');
});

test('what an agent would load is asked about before the first start, once for the same bytes', async () => {
  const workspace = workspaceWith({
    'plan.yaml':
      'settings: {knowledge: {approval_timeout: 0s}}\ngoal: Greet\ntasks:\n  - {id: one, title: One, files: [a.txt], verify: [test -e a.txt]}\n',
    'AGENTS.md': 'Always greet.\n',
    '.ralph/prompts/implement.md': '# Greet in French\n\n{{task}}\n',
  });
  const program = join(tempDir(), 'agent.sh');
  writeFileSync(
    program,
    `#!/bin/sh\ncat > ${workspace}/prompt.txt\ntouch a.txt\necho '{"status": "completed"}'\n`,
  );
  chmodSync(program, 0o755);
  writeFileSync(
    join(workspace, '.ralph/config.yaml'),
    `agents: {mine: {type: command, command: [${program}]}}\nroles: {executor: mine}\n`,
  );
  const env = { XDG_STATE_HOME: tempDir() };
  const run = (...more: string[]) =>
    runProgram(['run', '--plan', 'plan.yaml', '--headless', '--permissions', 'edits', ...more], {
      cwd: workspace,
      env,
      asked: true,
    });
  const refused = await run();
  expect(refused).toMatchObject({ code: 3 });
  expect(refused.stderr).toContain('AGENTS.md would be loaded by mine');
  expect(refused.stderr).toContain('.ralph/prompts/implement.md would instruct agents');
  const apart = await run('--background');
  expect(apart).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('AGENTS.md would be loaded by mine'),
  });
  expect(await run('--yes')).toMatchObject({ code: 0 });
  expect(readFileSync(join(workspace, 'prompt.txt'), 'utf8')).toMatch(
    /^Message from ralph-tui\.\n\n# Greet in French\n\n## Task one: One/,
  );
  expect(await run()).toMatchObject({ code: 0 });
  writeFileSync(join(workspace, 'AGENTS.md'), 'Never greet.\n');
  const changed = await run();
  expect(changed).toMatchObject({ code: 3 });
  expect(changed.stderr).toContain('AGENTS.md (changed since last trusted)');
});

test('a plan of 500 tasks is asked about on the screen: all of it can be walked and searched, and nothing runs before the yes', async () => {
  const tasks = Array.from(
    { length: 500 },
    (_, index) =>
      `  - {id: t${index}, title: T, files: [f${index}], run: ["echo ${index === 431 ? 'needle' : index} > f${index}"]}`,
  );
  const workspace = workspaceWith({ 'plan.yaml': `goal: Many\ntasks:\n${tasks.join('\n')}\n` });
  const terminal = openScreen(['run', '--plan', 'plan.yaml'], { cwd: workspace, asked: true });
  onTestFinished(() => terminal.kill('SIGKILL'));
  const first = await terminal.waitFor(/Trust and run this\?[\s\S]*more/);
  expect(terminal.isAlternate()).toBe(true);
  expect(first).toContain('t0: echo 0 > f0');
  terminal.press('G');
  await terminal.waitFor('t499: echo 499 > f499');
  terminal.press('/');
  await terminal.waitFor('Search what would run');
  terminal.type('NEEDLE\r');
  await terminal.waitFor(/t431: echo needle[\s\S]*"NEEDLE": 1 row/);
  expect(existsSync(join(workspace, '.ralph-sessions'))).toBe(false);
  terminal.press('q');
  await terminal.exit;
  expect(terminal.text()).toContain('Nothing was started.');
  expect(existsSync(join(workspace, '.ralph-sessions'))).toBe(false);
});

test('y on the screen answers for the plan, and the session begins', async () => {
  const tasks = Array.from(
    { length: 40 },
    (_, index) => `  - {id: t${index}, title: T, files: [f${index}], run: ["echo ${index} > f${index}"]}`,
  );
  const workspace = workspaceWith({ 'plan.yaml': `goal: Many\ntasks:\n${tasks.join('\n')}\n` });
  const terminal = openScreen(['run', '--plan', 'plan.yaml'], { cwd: workspace, asked: true });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('Trust and run this?');
  terminal.press('y');
  await terminal.waitFor(/of 40/);
});
