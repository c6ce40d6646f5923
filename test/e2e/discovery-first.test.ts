import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type ProgramOptions, type ProgramResult, runProgram, startSession } from '../helpers/program.ts';
import { repositoryWith } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openScreen, openTerminal } from '../helpers/terminal.ts';

const executable = (...lines: readonly string[]): string => {
  const file = join(tempDir(), 'program.sh');
  writeFileSync(file, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(file, 0o755);
  return file;
};

/** A repository with the person's home written into its code, and a command agent that does nothing. */
const brittle = () => {
  const config = tempDir();
  const agent = executable('cat > /dev/null', 'echo \'{"status": "completed"}\'');
  const cwd = repositoryWith({
    'app.toml': 'root = "/home/zed/data"\n',
    'plan.yaml':
      'settings: {knowledge: {approval_timeout: 0s}}\ngoal: Greet\ntasks:\n  - {id: one, title: One, verify: ["true"]}\n',
    '.ralph/config.yaml': `agents: {mine: {type: command, command: [${agent}]}}\nroles: {executor: mine}\n`,
  });
  return {
    cwd,
    env: { HOME: '/home/zed', XDG_CONFIG_HOME: config, XDG_STATE_HOME: tempDir() },
    config: join(config, 'ralph-tui/config.yaml'),
    records: join(cwd, '.ralph/constraint-scan.jsonl'),
  };
};

/** Lists no files, and is git for everything else. */
const hangingGit = `#!/bin/sh
case "$*" in *ls-files*) exec /bin/sleep 60;; esac
PATH=/usr/bin:/bin:/usr/local/bin exec git "$@"
`;

const run = ['run', '--plan', 'plan.yaml', '--headless', '--permissions', 'edits'];

const runHere = (args: readonly string[], options: ProgramOptions): Promise<ProgramResult> =>
  startSession(args, options).done;

test('headless, a critical finding keeps agents with a model from starting: exit 3 with what to do, and nothing but the records', async () => {
  const { cwd, env, records } = brittle();
  const refused = await runHere(run, { cwd, env });
  expect(refused).toMatchObject({ code: 3, stdout: '' });
  expect(refused.stderr).toMatch(/scanner: 1 finding\n[\s\S]*1 critical finding: app\.toml:1 Your home/);
  expect(refused.stderr).toContain('--despite-critical');
  expect(readFileSync(records, 'utf8')).toContain('"critical"');
  expect(existsSync(join(cwd, '.ralph-sessions'))).toBe(false);
});

test('it starts with --despite-critical, which is noted and recorded, and with --no-discovery, which looks at nothing', async () => {
  const { cwd, env, records } = brittle();
  expect(await runHere([...run, '--no-discovery'], { cwd, env })).toMatchObject({ code: 0 });
  expect(existsSync(records)).toBe(false);
  expect(existsSync(join(cwd, '.ralph/acknowledged.jsonl'))).toBe(false);
  const despite = await runHere([...run, '--despite-critical'], { cwd, env });
  expect(despite.code).toBe(0);
  expect(despite.stderr).toContain('critical: app.toml:1');
  expect(readFileSync(join(cwd, '.ralph/acknowledged.jsonl'), 'utf8')).toContain('"despite":true');
});

test('scripts start without discovery, and so does everything where it is switched off', async () => {
  const { cwd, env, records } = brittle();
  writeFileSync(
    join(cwd, '.ralph/config.yaml'),
    `${readFileSync(join(cwd, '.ralph/config.yaml'), 'utf8')}discovery: {enabled: false}\n`,
  );
  expect(await runHere(run, { cwd, env })).toMatchObject({ code: 0 });
  writeFileSync(join(cwd, '.ralph/config.yaml'), '');
  writeFileSync(join(cwd, 'plan.yaml'), 'goal: Greet\ntasks:\n  - {id: one, title: One, run: ["true"]}\n');
  expect(await runHere(run, { cwd, env })).toMatchObject({ code: 0 });
  expect(existsSync(records)).toBe(false);
});

test('a scanner that gives no answer refuses like a critical finding: headless exit 3 with the reason, and so does `scan`', async () => {
  const { cwd, env, config } = brittle();
  const bin = tempDir();
  writeFileSync(join(bin, 'git'), hangingGit, { mode: 0o755 });
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, 'discovery: {timeout: 400ms, sources: {scanner: {timeout: 400ms}}}\n');
  const slow = { ...env, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  const refused = await runHere(run, { cwd, env: slow });
  expect(refused).toMatchObject({ code: 3, stdout: '' });
  expect(refused.stderr).toContain('The scan is incomplete: the scanner did not finish within 0.4 s');
  expect(existsSync(join(cwd, '.ralph-sessions'))).toBe(false);
  const scan = await runProgram(['scan', '--offline', '--no-probes'], { cwd, env: slow });
  expect(scan.code).toBe(3);
  expect(scan.stdout).toContain('CRITICAL - The scan is incomplete: the scanner did not finish within 0.4 s');
});

test('in a terminal it asks: not starting is the default, fixing opens the file and looks again, starting anyway is recorded', async () => {
  const { cwd, env } = brittle();
  const editor = executable(`sed -i s,/home/zed,., "$1"`);
  const open = () =>
    openTerminal(['run', '--plan', 'plan.yaml'], {
      cwd,
      env: { ...env, EDITOR: editor },
      columns: 80,
      rows: 24,
    });
  const question = 'start anyway, or neither? [f/s/N]';
  const first = open();
  await first.waitFor(question);
  first.press('enter');
  expect(await first.exit).toBe(0);
  expect(first.screen()).toContain('Nothing was started.');

  const second = open();
  await second.waitFor(question);
  second.type('s\r');
  await second.waitFor(() => second.isAlternate());
  second.close();
  await second.exit;
  expect(readFileSync(join(cwd, '.ralph/acknowledged.jsonl'), 'utf8')).toContain('"despite":true');

  writeFileSync(join(cwd, '.ralph/acknowledged.jsonl'), '');
  const third = open();
  await third.waitFor(question);
  third.type('f\r');
  await third.waitFor(() => third.isAlternate());
  third.close();
  await third.exit;
  expect(readFileSync(join(cwd, 'app.toml'), 'utf8')).toBe('root = "./data"\n');
});

test('beside the start screen discovery reports what it found; a start with critical findings asks first', async () => {
  const { cwd, env } = brittle();
  const bin = tempDir();
  writeFileSync(join(bin, 'gemini'), '#!/bin/sh\nsleep 60\n', { mode: 0o755 });
  const path = { ...env, PATH: `${bin}:/usr/bin:/bin`, EDITOR: executable('sed -i s,/home/zed,., "$1"') };
  const terminal = openTerminal([], { cwd, env: path, columns: 80, rows: 24 });
  await terminal.waitFor('Start a session');
  await terminal.waitFor(/Found here: 1 critical.*ctrl-g shows them/);
  terminal.press('down');
  await terminal.waitFor('▌plan.yaml');
  terminal.press('enter');
  await terminal.waitFor('Trust and run this?');
  terminal.press('y');
  await terminal.waitFor('1 critical finding: start anyway?');
  terminal.press('escape');
  await terminal.waitFor((screen) => !screen.includes('start anyway?'));
  expect(existsSync(join(cwd, '.ralph-sessions'))).toBe(false);
  terminal.press('enter');
  await terminal.waitFor('1 critical finding: start anyway?');
  terminal.press('f');
  await terminal.waitFor((screen) => !screen.includes('start anyway?'));
  await expect.poll(() => readFileSync(join(cwd, 'app.toml'), 'utf8')).toBe('root = "./data"\n');
  await terminal.waitFor('Start a session');
  terminal.press('enter');
  await terminal.waitFor(/Greet/);
  await expect.poll(() => existsSync(join(cwd, '.ralph-sessions'))).toBe(true);
  terminal.close();
  await terminal.exit;
});

test('a loop asks about critical findings before its wizard, and not again after it', async () => {
  const { cwd, env } = brittle();
  writeFileSync(join(cwd, 'plan.md'), '- [ ] one\n');
  const args = ['run', '--mode', 'loop', '--focus', 'plan.md'];
  const terminal = openScreen(args, { cwd, env, columns: 80, rows: 24, asked: true });
  await terminal.waitFor('start anyway, or neither? [f/s/N]');
  expect(terminal.isAlternate()).toBe(false);
  terminal.type('s\r');
  await terminal.waitFor('How long may the loop run?');
  terminal.press('escape');
  expect(await terminal.exit).toBe(0);
  expect(terminal.text()).toContain('Nothing was started.');
  expect(existsSync(join(cwd, '.ralph/acknowledged.jsonl'))).toBe(false);
});
