import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runJson, runProgram } from '../helpers/program.ts';
import { sessionText } from '../helpers/session-files.ts';
import { openTerminal } from '../helpers/terminal.ts';
import { diamondPlan, onlySession, workspaceWith } from '../helpers/workspace.ts';

test('a session with 30 MB of old logs opens and scrolls at once, and prints only the end of a log', async () => {
  const workspace = workspaceWith({
    'plan.yaml': `goal: Print much
tasks:
  - id: much
    title: Much
    files: [much.txt]
    run:
      - head -c 30000000 /dev/zero | tr '\\0' x | fold -w 120
      - echo the end; touch much.txt
`,
  });
  const result = await runProgram(['run', '--plan', 'plan.yaml', '--json'], { cwd: workspace });
  expect(result.code).toBe(0);
  expect(await runJson(['logs'], { cwd: workspace })).toMatchObject([{ task: 'much' }]);
  expect(sessionText(workspace, 'logs/much-r1.log').length).toBeGreaterThan(30_000_000);
  const log = await runProgram(['logs', 'much'], { cwd: workspace });
  expect(log.stdout.length).toBeLessThan(300_000);
  expect(log.stdout).toMatch(/the end\n$/);
  const terminal = openTerminal(['attach'], { cwd: workspace, columns: 120, rows: 36 });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('How it ended', 5_000);
  terminal.press('escape');
  await terminal.waitFor(/^(?![\s\S]*How it ended)[\s\S]*Complete:/);
  terminal.press('j');
  await terminal.waitFor('the end', 5_000);
  terminal.press('q');
  expect(await terminal.exit).toBe(0);
});

test('words like 429 and quota in what a program prints decide nothing: its exit code does', async () => {
  const workspace = workspaceWith({
    'plan.yaml': `goal: Print frightening words
settings: {retries: {max_attempts: 1}}
tasks:
  - {id: fine, title: Fine, files: [429.txt], run: ['echo "HTTP 429 rate limit, quota exceeded, fatal error" | tee 429.txt']}
  - {id: bad, title: Bad, files: [ok.txt], run: ['echo all is well; exit 1']}
`,
  });
  const result = await runProgram(['run', '--plan', 'plan.yaml', '--json'], { cwd: workspace });
  expect(result.code).toBe(1);
  expect(result.stdout).not.toMatch(/"type":"(quota|agent)\./);
  expect(await runJson(['tasks'], { cwd: workspace })).toMatchObject([
    { id: 'fine', status: 'done', attempt: 1 },
    { id: 'bad', status: 'failed', attempt: 1 },
  ]);
});

test('a second run leaves every byte of the first as it was, and each attempt has its own report and log', async () => {
  const workspace = workspaceWith({ 'plan.yaml': diamondPlan });
  await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  const session = onlySession(workspace);
  const files = (): ReadonlyMap<string, string> =>
    new Map(
      readdirSync(session, { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(session, name)).isFile())
        .map((name) => [name, readFileSync(join(session, name), 'latin1')]),
    );
  const before = files();
  expect([...before.keys()]).toEqual(
    expect.arrayContaining([
      'iterations/1/reports/right-report.md',
      'iterations/1/reports/right-report-r2.md',
      'logs/right-r1.log',
      'logs/right-r2.log',
    ]),
  );
  expect((await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace })).code).toBe(0);
  expect(files()).toEqual(before);
  expect(await runJson(['sessions'], { cwd: workspace })).toHaveLength(2);
});

test('what the reading commands print for people holds no unfilled template and no missing value', async () => {
  const workspace = workspaceWith({ 'plan.yaml': diamondPlan });
  await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  await runProgram(['signal', 'INFO', 'hello'], { cwd: workspace });
  const commands = [
    ['status'],
    ['tasks'],
    ['tasks', 'graph'],
    ['tasks', 'why', 'bottom'],
    ['sessions'],
    ['signals'],
    ['logs'],
    ['report'],
    ['report', 'right'],
    ['config'],
    ['doctor'],
    ['attach'],
    ['--help'],
  ];
  for (const args of commands) {
    const { code, stdout } = await runProgram(args, { cwd: workspace });
    expect([args.join(' '), code]).toEqual([args.join(' '), 0]);
    expect(stdout).toMatch(/\w/);
    // The plan's own shell lines hold `$RALPH_ATTEMPT`; a template of ours would have a brace.
    expect(stdout).not.toMatch(/\$\{|\bundefined\b|\bNaN\b|\[object |\bInfinity\b/);
  }
});

test('with NO_COLOR the screen is drawn without a colour, and every status still differs in shape and word', async () => {
  const workspace = workspaceWith({ 'plan.yaml': diamondPlan });
  await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  const terminal = openTerminal(['attach'], { cwd: workspace, env: { NO_COLOR: '1' } });
  onTestFinished(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('How it ended');
  terminal.press('escape');
  await terminal.waitFor(/^(?![\s\S]*How it ended)[\s\S]*✓ right .*done/);
  expect(terminal.raw()).not.toMatch(/\u001b\[[\d;]*\b(3[0-8]|4[0-8]|9[0-7]|10[0-7])(;[\d;]*)?m/);
});
