import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Event, eventBodySchema } from '../../src/pipeline/event.ts';
import { runJson, runProgram } from '../helpers/program.ts';
import { diamondPlan, onlySession, workspaceWith } from '../helpers/workspace.ts';

const eventsOf = (stdout: string): readonly Event[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      const value = JSON.parse(line);
      return { ...eventBodySchema().parse(value), seq: value.seq, at: value.at };
    });

test('a plan runs to its end without a terminal and the plain log tells it', async () => {
  const workspace = workspaceWith({ 'plan.yaml': diamondPlan });
  const result = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(join(workspace, 'bottom.txt'), 'utf8')).toBe('top\ngood\n');
  expect(result.stdout).toMatch(/right failed: /);
  expect(result.stdout).toMatch(/right done, attempt 2/);
  expect(result.stdout).toMatch(/top \| top/);
  expect(result.stdout).toMatch(/lessons carried over to the next iteration/);
  expect(result.stdout).toContain(onlySession(workspace));
});

test('with --json every line is an event of the schema, in order, and the last is session.stopped', async () => {
  const workspace = workspaceWith({ 'plan.yaml': diamondPlan });
  const result = await runProgram(['run', '--plan', 'plan.yaml', '--json'], { cwd: workspace });
  const events = eventsOf(result.stdout);
  expect(events.at(-1)).toMatchObject({
    type: 'session.stopped',
    session_id: onlySession(workspace).slice(-13),
    status: 'completed',
    exit_code: 0,
  });
  expect(result.code).toBe(0);
  const lasting = events.filter((event) => event.type !== 'output.written').map((event) => event.seq);
  expect(lasting).toEqual(lasting.map((_, index) => index + 1));
});

test('blocked tasks start after their blockers are done, never before', async () => {
  const workspace = workspaceWith({ 'plan.yaml': diamondPlan });
  const result = await runProgram(['run', '--plan', 'plan.yaml', '--json'], { cwd: workspace });
  const order = eventsOf(result.stdout).flatMap((event) =>
    event.type === 'task.started' || event.type === 'task.qualified' ? [`${event.type} ${event.task}`] : [],
  );
  const at = (text: string): number => order.indexOf(text);
  expect(at('task.qualified top')).toBeLessThan(at('task.started left'));
  expect(at('task.qualified right')).toBeLessThan(at('task.started bottom'));
  expect(at('task.qualified left')).toBeLessThan(at('task.started bottom'));
});

test('a task that fails for good ends the session with exit 1, and what waits for it never starts', async () => {
  const workspace = workspaceWith({
    'plan.yaml': `goal: Fail
settings: {retries: {max_attempts: 1}}
tasks:
  - {id: bad, title: Bad, files: [a], run: ['exit 7']}
  - {id: after, title: After, files: [b], blockedBy: [bad], run: ['touch ran']}
`,
  });
  const result = await runProgram(['run', '--plan', 'plan.yaml', '--json'], { cwd: workspace });
  expect(eventsOf(result.stdout).at(-1)).toMatchObject({ status: 'awaiting_feedback', exit_code: 1 });
  expect(result.code).toBe(1);
  expect(existsSync(join(workspace, 'ran'))).toBe(false);
});

test('a wrong plan is refused with file, line and what is allowed, and nothing is written', async () => {
  const workspace = workspaceWith({
    'plan.yaml': 'goal: x\ntasks:\n  - title: One\n    blocked_by: [two]\n',
  });
  const result = await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace });
  expect(result.code).toBe(2);
  expect(result.stderr).toMatch(/plan\.yaml:4/);
  expect(result.stderr).toMatch(/did you mean blockedBy\?/);
  expect(existsSync(join(workspace, '.ralph-sessions'))).toBe(false);
});

test('a plan that is not there is one clear sentence and exit 2', async () => {
  const workspace = workspaceWith({});
  const result = await runProgram(['run', '--plan', 'nothing.yaml'], { cwd: workspace });
  expect(result.code).toBe(2);
  expect(result.stderr).toMatch(/^ralph-tui: nothing\.yaml: .*\n$/);
});

test('a goal without an agent never falls back to scripts: exit 2 naming the flag', async () => {
  const workspace = workspaceWith({});
  const result = await runProgram(['run', 'make it nice'], { cwd: workspace });
  expect(result.code).toBe(2);
  expect(result.stderr).toContain('--agent');
});

test('usage errors exit 2, with --json as an object on stdout', async () => {
  const workspace = workspaceWith({});
  expect((await runProgram(['frobnicate'], { cwd: workspace })).code).toBe(2);
  expect((await runProgram(['run', '--nonsense'], { cwd: workspace })).code).toBe(2);
  const result = await runProgram(['signal', 'STEEER', 'x', '--json'], { cwd: workspace });
  expect(result.code).toBe(2);
  expect(JSON.parse(result.stdout)).toMatchObject({
    error: {
      code: 'usage',
      message: expect.stringContaining('STEEER'),
      hint: expect.stringContaining('STEER'),
    },
  });
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
