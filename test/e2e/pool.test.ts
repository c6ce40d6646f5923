import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type EmbeddedPostgres, startEmbedded } from '../../src/cli/pool/embedded-postgres.ts';
import { runJson, runProgram, startProgram } from '../helpers/program.ts';
import { makeTempDir, removeTempDir, tempDir } from '../helpers/temp-dir.ts';
import { isLongForm } from '../helpers/test-form.ts';
import { writeIn } from '../helpers/workspace.ts';

let database: string;
let server: EmbeddedPostgres;
/** The state of the host's account, and the files for hosts and runners. */
let state: string;
let login: string;
/** What `pool init` said. */
let made: Awaited<ReturnType<typeof runProgram>>;

beforeAll(async () => {
  [database = '', state = '', login = ''] = [makeTempDir(), makeTempDir(), makeTempDir()];
  server = await startEmbedded({ directory: database, password: 'owner-password' });
  made = await init();
});
afterAll(async () => {
  await server.stop();
  for (const place of [database, state, login]) removeTempDir(place);
});

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
    cwd,
    encoding: 'utf8',
  }).trim();

/** As `set -a; . FILE` reads it. */
const variablesOf = (name: 'host' | 'runner'): Record<string, string> =>
  Object.fromEntries(
    [...readFileSync(join(login, `${name}.env`), 'utf8').matchAll(/^(\w+)='(.*)'$/gmu)].map(
      ([, key = '', value = '']) => [key, value],
    ),
  );

const init = (): ReturnType<typeof runProgram> =>
  runProgram(['pool', 'init', '--out', login], {
    cwd: state,
    env: { XDG_STATE_HOME: state, RALPH_POOL_URL: server.url },
  });

const startRunner = async (slots = 2) => {
  const directory = tempDir();
  const runner = startProgram(
    [
      'runner',
      '--pool',
      'env:RALPH_POOL_URL',
      '--slots',
      String(slots),
      '--name',
      'worker',
      '--in',
      directory,
    ],
    { cwd: directory, env: { XDG_STATE_HOME: directory, ...variablesOf('runner') } },
  );
  onTestFinished(() => runner.kill('SIGKILL'));
  await runner.waitFor('Its public key');
  return { ...runner, directory };
};

/** A repository with a plan, for a host of the pool. */
const workspace = (plan: string) => {
  const [cwd, home] = [tempDir(), tempDir()];
  writeIn(home, 'ralph-tui/config.yaml', `runners: {ci: {pool: "env:RALPH_POOL_URL"}}\n`);
  writeIn(cwd, 'plan.yaml', plan);
  writeIn(cwd, 'a.txt', 'first\n');
  git(cwd, 'init', '--quiet', '--initial-branch=main');
  git(cwd, 'add', '.');
  git(cwd, 'commit', '--quiet', '-m', 'first');
  return { cwd, env: { XDG_CONFIG_HOME: home, XDG_STATE_HOME: state, ...variablesOf('host') } };
};

const branchOf = (cwd: string): string =>
  git(cwd, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/ralph/');
const run = ['run', '--plan', 'plan.yaml', '--on', 'ci', '--at-end', 'keep'];
const secrets = (): readonly string[] =>
  [...Object.values(variablesOf('host')), ...Object.values(variablesOf('runner'))].flatMap((value) =>
    value.startsWith('postgres:')
      ? [value, new URL(value).password]
      : value.includes('secret')
        ? [value]
        : [],
  );

test('a pool is made once, and made again it keeps its passwords and keys', async () => {
  expect([made.code, made.stderr]).toEqual([0, '']);
  expect(made.stdout).toMatch(/^host: {4}set -a; \. \S+host\.env; set \+a; ralph-tui run --on ci/mu);
  expect(made.stdout).toMatch(
    /^runner: {2}set -a; .* ralph-tui runner --pool env:RALPH_POOL_URL --slots 2 --accept pool-/mu,
  );
  const before = [variablesOf('host'), variablesOf('runner')];
  expect((await init()).code).toBe(0);
  expect([variablesOf('host'), variablesOf('runner')]).toEqual(before);
  for (const secret of [...secrets(), 'owner-password']) expect(made.stdout).not.toContain(secret);
});

test('a plan is worked on by the runners of a pool; status, list and check say what is there', async () => {
  const plan = `goal: there
tasks:
  - {id: one, title: One, run: ['pwd > where.txt', 'echo loud'], verify: ['test -s where.txt']}
  - {id: two, title: Two, run: ['pwd > there.txt']}
  - {id: three, title: Three, blockedBy: [one, two], run: ['cat where.txt there.txt > both.txt']}
`;
  const { cwd, env } = workspace(plan);
  const [first, second] = [await startRunner(1), await startRunner(1)];
  const done = await runProgram([...run, '--json'], { cwd, env });
  expect([done.stderr, done.code]).toEqual(['', 0]);
  const branch = branchOf(cwd);
  const both = git(cwd, 'show', `${branch}:both.txt`);
  expect([first, second].filter(({ directory }) => both.includes(directory)).length).toBeGreaterThan(0);
  expect(done.stdout).toContain('loud');
  expect(git(cwd, 'for-each-ref', 'refs/ralph/runners')).toBe('');

  const status = await runJson(['pool', 'status'], { cwd, env });
  expect(status).toMatchObject({ queues: [{ queue: 'default', waiting: 0, dead: 0 }], leases: [] });
  expect((status as { runners: unknown[] }).runners).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: 'worker', slots: 1, busy: 0, refused: {} })]),
  );
  const lines = (await runProgram(['pool', 'status'], { cwd, env })).stdout;
  expect(lines).toMatch(/^queue default: 0 waiting, 0 at work, \d+ done, 0 abandoned by their runner$/mu);
  expect(lines).toMatch(/^runner \d+ {2}worker {2}0 of 1 slots {2}there, seen \d+ s ago/mu);
  expect((await runProgram(['runners', 'list'], { cwd, env })).stdout).toBe(
    'ci  pool  env:RALPH_POOL_URL, queue: default  8 slots\n',
  );
  const checked = await runProgram(['runners', 'check', 'ci'], { cwd, env });
  expect([checked.code, checked.stderr]).toEqual([0, '']);
  expect(checked.stdout).toContain('round trip');

  first.kill('SIGTERM');
  second.kill('SIGTERM');
  expect(await Promise.all([first.done, second.done])).toMatchObject([{ code: 0 }, { code: 0 }]);
  expect(readdirSync(join(first.directory, 'work'))).toEqual([]);
  const said = [done.stdout, lines, checked.stdout, first.output(), second.output()].join('\n');
  const sessions = join(cwd, '.ralph-sessions');
  const journals = readdirSync(sessions, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(sessions, name), 'utf8'));
  expect(journals).not.toEqual([]);
  for (const secret of secrets())
    for (const text of [said, ...journals]) expect(text.includes(secret)).toBe(false);

  const alone = await runProgram(['runners', 'check', 'ci'], { cwd, env });
  expect(alone.code).toBe(1);
  expect(alone.stdout).toContain('no runner of the pool is there');
});

test('a runner that is killed with -9 while its agent works: started again it says so, and the task is done once', async () => {
  const gate = join(tempDir(), 'gate');
  const { cwd, env } = workspace(
    `goal: x\ntasks: [{id: a, title: A, run: ['echo begun', 'until test -e ${gate}; do sleep 0.1; done', 'echo done >> done.txt']}]\n`,
  );
  const first = await startRunner();
  const session = startProgram([...run, '--headless'], { cwd, env });
  onTestFinished(() => session.kill('SIGKILL'));
  await session.waitFor('a $ until');
  first.kill('SIGKILL');
  await first.done;
  const again = startProgram(
    ['runner', '--pool', 'env:RALPH_POOL_URL', '--name', 'worker', '--in', first.directory],
    { cwd: first.directory, env: { XDG_STATE_HOME: first.directory, ...variablesOf('runner') } },
  );
  onTestFinished(() => again.kill('SIGKILL'));
  await session.waitFor('it was restarted and has lost its work');
  writeFileSync(gate, '');
  expect((await session.done).code).toBe(0);
  expect(git(cwd, 'show', `${branchOf(cwd)}:done.txt`)).toBe('done');
  again.kill('SIGTERM');
  expect((await again.done).code).toBe(0);
});

test('a host that is killed and resumes: what it had begun is stopped on the runner, and the work is done once', async () => {
  const gate = join(tempDir(), 'gate');
  const { cwd, env } = workspace(
    `goal: x\ntasks: [{id: a, title: A, run: ['echo part > part.txt', 'until test -e ${gate}; do sleep 0.1; done', 'echo done >> done.txt']}]\n`,
  );
  const runner = await startRunner();
  const session = startProgram([...run, '--headless'], { cwd, env });
  await session.waitFor('a $ until');
  session.kill('SIGKILL');
  await session.done;
  const resumed = startProgram(['resume', '--headless', '--at-end', 'keep'], { cwd, env });
  onTestFinished(() => resumed.kill('SIGKILL'));
  await resumed.waitFor('refs/ralph/late');
  await resumed.waitFor('a $ until');
  writeFileSync(gate, '');
  expect((await resumed.done).code).toBe(0);
  expect(git(cwd, 'show', `${branchOf(cwd)}:done.txt`)).toBe('done');
  const late = git(cwd, 'for-each-ref', '--format=%(refname)', 'refs/ralph/late').split('\n');
  expect(late).toHaveLength(1);
  expect(git(cwd, 'show', `${late[0]}:part.txt`)).toBe('part');
  runner.kill('SIGTERM');
  expect((await runner.done).code).toBe(0);
});

test('a pool that is not there, and one without a login, are one sentence with what to do', async () => {
  const { cwd, env } = workspace('goal: x\ntasks: [{id: a, title: A, run: ["true"]}]\n');
  const { RALPH_POOL_URL: url = '', ...without } = env as Record<string, string>;
  const no = await runProgram(['pool', 'status'], { cwd, env: without });
  expect(no.stderr).toContain(
    'the variable RALPH_POOL_URL with the URL of the pool is not set; read the file',
  );
  const far = new URL(url);
  far.port = '1';
  const away = await runProgram([...run, '--headless'], { cwd, env: { ...env, RALPH_POOL_URL: far.href } });
  expect(away.stderr).toContain("runner ci: the pool's database was not reached (ECONNREFUSED); start it");
  far.port = new URL(url).port;
  far.password = 'wrong-password';
  const refused = await runProgram(['pool', 'status'], { cwd, env: { ...env, RALPH_POOL_URL: far.href } });
  expect(refused.stderr).toContain(
    "the pool's database refused the login; check user and password of its URL",
  );
  expect(away.stderr + refused.stderr).not.toContain('wrong-password');
  const typed = await runProgram(['pool', 'status', url], { cwd, env });
  expect(typed.code).toBe(2);
});

test.runIf(isLongForm)('`pool try` runs the sample on two runners, and leaves nothing', async () => {
  const place = tempDir();
  // The server of a root's test has an account without rights.
  chmodSync(place, 0o711);
  const tried = startProgram(['pool', 'try', '--headless'], {
    cwd: place,
    env: { TMPDIR: place, XDG_STATE_HOME: place },
  });
  onTestFinished(() => tried.kill('SIGKILL'));
  const { code, stdout, stderr } = await tried.done;
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('The runners, the database and the sample are gone.'),
  ]);
  expect(stdout).toContain('10 of 10 tasks done');
  expect(readdirSync(place)).toEqual([]);
});
