import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type DebugRecord, debugLineSchema } from '../../src/observability/debug/debug-record.ts';
import { cleanEnvironment, programFile, runJson, runProgram } from '../helpers/program.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const token = 'ghp_Q7wErTy2uIoP9aSdFgH4jKlZxCvB1nM0abcd';
const plan = `goal: Two tasks
tasks:
  - id: good
    title: Print
    run: ['echo ${token} > out.txt']
    files: [out.txt]
  - id: bad
    title: Fail
    run: ['echo no; exit 3']
    files: [bad.txt]
`;

/** A workspace with a plan, and a state directory of its own. */
const prepared = () => {
  const cwd = tempDir();
  const state = tempDir();
  writeFileSync(join(cwd, 'plan.yaml'), plan);
  const env = { XDG_STATE_HOME: state };
  return { cwd, env, directory: join(state, 'ralph-tui/logs/debug') };
};

const run = ['run', '--plan', 'plan.yaml', '--headless'];

const logsOf = (directory: string): readonly string[] =>
  existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.jsonl')) : [];

/** Every line of every log, each checked by its schema. */
const recordsOf = (directory: string): readonly DebugRecord[] =>
  logsOf(directory).flatMap((name) => {
    const lines = readFileSync(join(directory, name), 'utf8').trimEnd().split('\n');
    const parsed = lines.map((line) => debugLineSchema.parse(JSON.parse(line)));
    expect(parsed[0]?.type).toBe('session');
    return parsed.flatMap((line) => (line.type === 'session' ? [] : [line]));
  });

test('unset, no log and no folder for one exists; set, every record parses, an error result is not ok, and no secret is in it', async () => {
  const quiet = prepared();
  await runProgram(run, quiet);
  expect(existsSync(quiet.directory)).toBe(false);
  const off = prepared();
  await runProgram(run, { ...off, env: { ...off.env, RALPH_DEBUG: 'false' } });
  expect(existsSync(off.directory)).toBe(false);

  const { cwd, env, directory } = prepared();
  await runProgram(run, { cwd, env: { ...env, RALPH_DEBUG: 'true', MY_API_KEY: 'opensesame-42' } });
  expect(logsOf(directory)).toHaveLength(1);
  expect(logsOf(directory)[0]).toMatch(/^session-\d{8}T\d{6}Z-[0-9a-f]{4}\.jsonl$/);
  const records = recordsOf(directory);
  const failed = records.find(({ name, ok }) => name === 'command' && !ok);
  expect(failed).toMatchObject({ type: 'tool', exit_code: 3, error_type: 'command-failed', blocked: false });
  expect(records.filter(({ type }) => type === 'agent').length).toBeGreaterThan(2);
  const text = logsOf(directory)
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .join('');
  expect(text).not.toContain(token);
  expect(text).not.toContain('opensesame');
  expect(text).toContain('[redacted]');
});

/** Every path that the program gives to a call of the file system while it runs a plan. */
const touchedBy = async (debug: string | null): Promise<readonly string[]> => {
  const { cwd, env, directory } = prepared();
  const trace = join(tempDir(), 'paths');
  const { code } = await runProgram(run, {
    cwd,
    env: {
      ...env,
      ...(debug === null ? {} : { RALPH_DEBUG: debug }),
      NODE_OPTIONS: `--require "${join(import.meta.dirname, '../helpers/touched-paths.cjs')}"`,
      TOUCHED_PATHS: trace,
    },
  });
  expect(code).toBe(1);
  const lines = readFileSync(trace, 'utf8').trimEnd().split('\n');
  // The trace sees the session's own files.
  expect(lines.filter((line) => line.includes('journal.jsonl')).length).toBeGreaterThan(0);
  return lines.filter((line) => line.includes(dirname(directory)));
};

test('unset, no call of the file system gets a path of the debug log, not even to look for it', async () => {
  expect(await touchedBy(null)).toEqual([]);
  expect((await touchedBy('true')).length).toBeGreaterThan(1);
});

test('the setting and the folder of the configuration do the same as the variable', async () => {
  const { cwd, env, directory } = prepared();
  const config = join(cwd, 'home/ralph-tui');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'config.yaml'), 'observability: {debug: true, dir: debug-logs}\n');
  await runProgram(run, { cwd, env: { ...env, XDG_CONFIG_HOME: join(cwd, 'home') } });
  expect(logsOf(directory)).toEqual([]);
  expect(recordsOf(join(cwd, 'debug-logs')).length).toBeGreaterThan(4);
});

test('trackers log their calls, and a returned error is a failed call', async () => {
  const { cwd, env, directory } = prepared();
  const debugging = { cwd, env: { ...env, RALPH_DEBUG: 'true' } };
  await runProgram(['issues', 'new', 'An issue'], debugging);
  await runProgram(['issues', 'show', 'nothing-like-it'], debugging);
  const calls = recordsOf(directory).filter(({ type }) => type === 'tracker');
  expect(calls.map(({ event }) => event)).toEqual(expect.arrayContaining(['create', 'show']));
  expect(calls.find(({ event }) => event === 'create')).toMatchObject({ name: 'native', ok: true });
  expect(calls.find(({ event }) => event === 'show')).toMatchObject({
    ok: false,
    error_type: 'issue-unknown',
  });
});

test('a hook has a record of its own', async () => {
  const { cwd, env, directory } = prepared();
  execFileSync(process.execPath, [programFile, 'hook', 'Stop'], {
    cwd,
    env: cleanEnvironment({ ...env, RALPH_DEBUG: 'true' }),
    input: '{"session_id":"a","cwd":"/nowhere","hook_event_name":"Stop"}',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  expect(recordsOf(directory).find(({ type }) => type === 'hook')).toMatchObject({
    name: 'Stop',
    ok: true,
    exit_code: 0,
    blocked: false,
  });
});

test('after kill -9 every record but at most the last is whole', async () => {
  const { cwd, env, directory } = prepared();
  const tasks = Array.from(
    { length: 30 },
    (_, index) => `  - {id: t${index}, title: T, files: [f${index}], run: ['true']}\n`,
  );
  writeFileSync(join(cwd, 'plan.yaml'), `goal: Many\ntasks:\n${tasks.join('')}`);
  const child = spawn(process.execPath, [programFile, ...run, '--yes'], {
    cwd,
    env: cleanEnvironment({ ...env, RALPH_DEBUG: 'true' }),
    stdio: 'ignore',
  });
  const lines = (): readonly string[] =>
    logsOf(directory).flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'));
  await expect.poll(() => lines().length, { interval: 5 }).toBeGreaterThan(12);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  const all = lines();
  const whole = all.slice(0, -1).filter((line) => line !== '');
  expect(whole.length).toBeGreaterThan(10);
  for (const line of whole) expect(debugLineSchema.safeParse(JSON.parse(line)).success).toBe(true);
});

test('`debug collate` groups errors by signature and adds nothing the second time; foreign JSONL is counted, `--dry-run` writes nothing', async () => {
  const { cwd, env, directory } = prepared();
  await runProgram(run, { cwd, env: { ...env, RALPH_DEBUG: 'true' } });
  writeFileSync(join(directory, 'other.jsonl'), '{"hello": 1}\n');
  const dry = await runJson(['debug', 'collate', '--dry-run'], { cwd, env });
  expect(existsSync(join(directory, 'collated.json'))).toBe(false);
  const first = await runJson(['debug', 'collate'], { cwd, env });
  expect(first).toEqual(dry);
  expect(first).toMatchObject({ logs: 1, foreign_files: 1, foreign_lines: 0 });
  const kept = readFileSync(join(directory, 'collated.json'), 'utf8');
  const { errors } = JSON.parse(kept);
  expect(errors[0]).toMatchObject({ label: 'debug-auto', key: expect.stringMatching(/^[0-9a-f]{8}$/) });
  const again = await runJson(['debug', 'collate'], { cwd, env });
  expect(again).toMatchObject({ added: [], grown: [] });
  expect(readFileSync(join(directory, 'collated.json'), 'utf8')).toBe(kept);

  await runProgram(run, { cwd, env: { ...env, RALPH_DEBUG: 'true' } });
  const grown = await runJson(['debug', 'collate'], { cwd, env });
  expect(grown).toMatchObject({ added: [] });
  const counts = (text: string): number =>
    JSON.parse(text).errors.reduce((sum: number, { count }: { readonly count: number }) => sum + count, 0);
  expect(counts(readFileSync(join(directory, 'collated.json'), 'utf8'))).toBe(2 * counts(kept));

  const made = await runJson(['debug', 'collate', '--tracker'], { cwd, env });
  expect(made).toMatchObject({ issues: expect.arrayContaining([expect.stringContaining('[debug-auto ')]) });
  expect(await runJson(['debug', 'collate', '--tracker'], { cwd, env })).toMatchObject({ issues: [] });

  // Its issue says that an error was seen again, once.
  await runProgram(run, { cwd, env: { ...env, RALPH_DEBUG: 'true' } });
  expect(await runJson(['debug', 'collate', '--tracker'], { cwd, env })).toMatchObject({
    issues: expect.arrayContaining([expect.stringMatching(/^1 {2}\[debug-auto /)]),
  });
  expect(await runJson(['debug', 'collate', '--tracker'], { cwd, env })).toMatchObject({ issues: [] });
  expect(await runJson(['issues', 'show', '1'], { cwd, env })).toMatchObject({
    comments: [{ body: expect.stringMatching(/^Seen \d+ times in 3 logs, from /) }],
  });
});

test('`debug stats` counts calls and errors by group, and a senseless --since is a usage error', async () => {
  const { cwd, env, directory } = prepared();
  await runProgram(run, { cwd, env: { ...env, RALPH_DEBUG: 'true' } });
  const records = recordsOf(directory);
  const byCategory = await runJson(['debug', 'stats', '--by', 'category'], { cwd, env });
  for (const category of ['tool', 'agent']) {
    const own = records.filter(({ type }) => type === category);
    const errors = own.filter(({ ok }) => !ok).length;
    expect(byCategory).toMatchObject({
      calls: expect.arrayContaining([
        expect.objectContaining({
          name: category,
          calls: own.length,
          errors: { count: errors, of: own.length, rate: errors / own.length },
        }),
      ]),
    });
  }
  expect(await runJson(['debug', 'stats', '--since', '1ms'], { cwd, env })).toMatchObject({ calls: [] });
  for (const since of ['yesterday', '24', '-1h', '0s'])
    expect(await runProgram(['debug', 'stats', `--since=${since}`], { cwd, env })).toMatchObject({ code: 2 });
  expect(await runProgram(['debug', 'stats', '--by', 'moon'], { cwd, env })).toMatchObject({ code: 2 });
});
