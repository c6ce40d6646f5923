import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { runJson, runProgram } from '../helpers/program.ts';
import { makeTempDir, removeTempDir } from '../helpers/temp-dir.ts';
import { diamondPlan, workspaceWith, writeIn } from '../helpers/workspace.ts';

let workspace = '';

beforeAll(async () => {
  workspace = makeTempDir();
  writeIn(workspace, 'plan.yaml', diamondPlan);
  const result = await runProgram(['run', '--plan', 'plan.yaml', '--json'], { cwd: workspace });
  if (result.code !== 0) throw new Error(`${result.code}\n${result.stdout}\n${result.stderr}`);
});

afterAll(() => removeTempDir(workspace));

const read = (...args: readonly string[]): Promise<unknown> => runJson(args, { cwd: workspace });

test('status --json has the promised shape', async () => {
  const status = z
    .strictObject({
      session_id: z.string().regex(/^\d{6}-\d{6}$/),
      workspace: z.string(),
      goal: z.literal('Build the diamond'),
      status: z.literal('completed'),
      state: z.literal('COMPLETE'),
      iteration: z.literal(1),
      wave: z.number().nullable(),
      held: z.literal(false),
      stop_reason: z.literal('completed'),
      tasks: z.strictObject({
        total: z.literal(4),
        completed: z.literal(4),
        by_hand: z.literal(0),
        failed: z.literal(0),
        pending: z.literal(0),
        cancelled: z.literal(0),
        unreachable: z.literal(0),
      }),
      failed: z.array(z.unknown()).length(0),
      pending_signals: z.literal(0),
      feedback_waits: z.literal(false),
      feedback_needs_agent: z.literal(false),
      host: z.null(),
      gate: z.null(),
      next_deadline: z.null(),
      next_attempt: z.null(),
      time_left: z.null(),
      permissions: z.array(z.unknown()).length(0),
      requests: z.array(z.unknown()).length(0),
      problems: z.array(z.unknown()).length(0),
      resumable: z.literal(true),
      loop: z.null(),
      usage: z.record(z.string(), z.unknown()),
      undone: z.array(z.unknown()).length(0),
      unmerged: z.array(z.unknown()).length(0),
      unproven: z.array(z.unknown()).length(0),
      team: z.array(z.unknown()).length(0),
      messages: z.null(),
    })
    .parse(await read('status'));
  expect(status.workspace).toBe(workspace);
});

test('tasks --json names edges in both directions', async () => {
  const right = {
    id: 'right',
    title: 'The right side',
    status: 'done',
    attempt: 2,
    owner: expect.anything(),
    blockedBy: ['top'],
    blocks: ['bottom'],
    waitingFor: [],
    unreachable: null,
  };
  // Fields are added, never renamed: the promised ones are there, more may be.
  expect(await read('tasks')).toContainEqual(expect.objectContaining(right));
});

test('tasks ready --plan gives the ids that could start now', async () => {
  expect(await read('tasks', 'ready', '--plan', 'plan.yaml')).toEqual(['top']);
});

test('tasks graph prints the waves in their order, as lines and as JSON, whatever the order of the plan', async () => {
  const cwd = workspaceWith({
    'plan.yaml':
      'goal: x\ntasks:\n  - {id: last, title: L, blockedBy: [mid], run: [b]}\n  - {id: mid, title: M, blockedBy: [first], run: [b]}\n  - {id: first, title: F, run: [b]}\n',
  });
  const plan = ['tasks', 'graph', '--plan', 'plan.yaml'];
  const { stdout } = await runProgram([...plan, '--waves'], { cwd });
  expect(stdout).toMatch(/^level 1\n.* first\nlevel 2\n.* mid .*\nlevel 3\n.* last .*\n$/);
  expect(await runJson(plan, { cwd })).toMatchObject([
    { wave: 1, tasks: [{ id: 'first' }] },
    { wave: 2, tasks: [{ id: 'mid' }] },
    { wave: 3, tasks: [{ id: 'last' }] },
  ]);
});

test('tasks why says it in sentences', async () => {
  expect(await read('tasks', 'why', 'bottom')).toEqual({
    id: 'bottom',
    status: 'done',
    reasons: ['it is done and has passed its checks'],
  });
  expect((await runProgram(['tasks', 'why', 'nothing'], { cwd: workspace })).code).toBe(2);
});

test('sessions --json has a line for the session', async () => {
  expect(await read('sessions')).toEqual([
    expect.objectContaining({
      session_id: expect.stringMatching(/^\d{6}-\d{6}$/),
      status: 'completed',
      state: 'COMPLETE',
      progress: '4/4',
      goal: 'Build the diamond',
      age_s: expect.any(Number),
      stop_reason: 'completed',
      layout: expect.any(String),
    }),
  ]);
});

test('logs --json names every attempt, and logs TASK prints the newest', async () => {
  const rows = z
    .array(
      z.strictObject({
        task: z.string(),
        attempt: z.number(),
        file: z.string(),
        bytes: z.number(),
        ended: z.boolean(),
      }),
    )
    .parse(await read('logs'));
  expect(rows.filter((row) => row.task === 'right').map((row) => row.attempt)).toEqual([1, 2]);
  expect(rows.every((row) => row.ended)).toBe(true);
  expect((await runProgram(['logs', 'top'], { cwd: workspace })).stdout).toContain('top');
});

test('report prints the newest attempt, and the review of the session', async () => {
  expect((await runProgram(['report', 'right'], { cwd: workspace })).stdout).toContain('[Attempt 2]');
  const whole = await runProgram(['report'], { cwd: workspace });
  expect([whole.code, whole.stdout]).toEqual([0, expect.stringMatching(/\nTime: (worked )?\d+:\d\d/)]);
});

test('no gate is open: approve and skip exit 2 and write nothing', async () => {
  expect((await runProgram(['approve'], { cwd: workspace })).code).toBe(2);
  expect((await runProgram(['skip'], { cwd: workspace })).code).toBe(2);
  expect(await read('signals')).toEqual([]);
});

test('a signal for a session nobody runs waits, and can be withdrawn', async () => {
  const sent = z
    .strictObject({ id: z.string(), file: z.string(), written: z.literal(true) })
    .parse(await read('signal', 'INFO', 'hello there'));
  expect(await read('signals', 'list')).toMatchObject([{ id: sent.id, stage: 'pending', type: 'INFO' }]);
  expect(await read('signals', 'withdraw', sent.id)).toMatchObject({ id: sent.id, written: true });
  expect(await read('signals', 'list')).toMatchObject([{ stage: 'processed' }]);
});

test('a signal that is none, or is for a task that is none, is a usage error and nothing is written', async () => {
  const before = await read('signals', 'list');
  for (const args of [['INFO'], ['RETRY'], ['SET', '--set', 'goal=x'], ['STEER', 'left', '--task', 'lefd']]) {
    const result = await runProgram(['signal', ...args], { cwd: workspace });
    expect(result, args.join(' ')).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(/needs a message|needs a task|cannot change|no task "lefd".*top, left/);
  }
  expect(await read('signals', 'list')).toEqual(before);
});

test('signals list --json has the promised shape', async () => {
  await read('signal', 'INFO', 'for the shape', '--task', 'top');
  const entry = z.strictObject({
    id: z.string(),
    file: z.string(),
    type: z.literal('INFO'),
    target: z.literal('ALL'),
    task: z.literal('top'),
    from: z.string(),
    unproven: z.literal(false),
    claims_from: z.null(),
    message: z.literal('for the shape'),
    stage: z.literal('pending'),
    waits_for: z.string().nullable(),
    created_at: z.string(),
    handled_by: z.null(),
    handled_at: z.null(),
    action_taken: z.null(),
    outcome: z.null(),
    checkpoint: z.null(),
    acks: z.array(z.unknown()),
    error: z.null(),
  });
  const rows = z.array(z.looseObject({ stage: z.string() })).parse(await read('signals', 'list'));
  const [row] = z
    .array(entry)
    .length(1)
    .parse(rows.filter((each) => each.stage === 'pending'));
  await read('signals', 'withdraw', row?.id ?? '');
});

test('retry says which file it wrote; cancel of a done task writes none and says why', async () => {
  const sent = z.strictObject({ id: z.string(), file: z.string(), written: z.literal(true) });
  const retried = sent.parse(await read('retry', 'right', 'again'));
  await read('signals', 'withdraw', retried.id);
  const tooLate = await runProgram(['cancel', 'right', '--json'], { cwd: workspace });
  expect(tooLate.code).toBe(2);
  expect(tooLate.stdout).toContain('right is done: there is nothing to cancel');
});

test('errors with --json are an object with code, message and hint, and the exit code stays', async () => {
  const shape = z.strictObject({
    type: z.literal('error'),
    error: z.strictObject({ code: z.string(), message: z.string(), hint: z.string().nullable() }),
  });
  for (const args of [
    ['approve'],
    ['skip'],
    ['answer', 'nothing', 'x'],
    ['tasks', 'why', 'nothing'],
    ['status', '--session', '../../etc'],
  ])
    shape.parse(await runJson(args, { cwd: workspace }, 2));
});

test('doctor --json says of each check whether it is well', async () => {
  const findings = z
    .array(
      z.strictObject({
        check: z.string(),
        ok: z.boolean(),
        found: z.string(),
        problem: z.string().nullable(),
        hint: z.string().nullable(),
      }),
    )
    .parse(await read('doctor'));
  expect(findings.map((finding) => finding.check)).toContain('node');
});

test('replay plays the journal back to its end', async () => {
  const [session] = z.array(z.object({ session_id: z.string() })).parse(await read('sessions'));
  const result = await runProgram(['replay', session?.session_id ?? '', '--speed', '1000'], {
    cwd: workspace,
  });
  expect(result.code).toBe(0);
  expect(result.stdout).toMatch(/right done, attempt 2/);
});

test('completion is made from the commands', async () => {
  for (const shell of ['bash', 'zsh', 'fish'])
    expect((await runProgram(['completion', shell], { cwd: workspace })).stdout).toContain('withdraw');
  expect((await runProgram(['completion', 'tcsh'], { cwd: workspace })).code).toBe(2);
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
