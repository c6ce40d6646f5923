import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Brief, TaskBrief } from '../../src/agents/port.ts';
import { commandsIn } from '../../src/session/feedback-work.ts';
import type { TaskDefinition } from '../../src/tasks/task.ts';
import { parseTask } from '../../src/tasks/task-file.ts';
import { liveRole } from '../helpers/live-role.ts';
import { briefOf, go, info, steer, taskOf } from '../helpers/role-port.ts';
import { commands } from '../helpers/script-backend.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const session = (some: Partial<Brief> = {}): Brief => {
  const workspace = tempDir();
  const sessionDirectory = join(workspace, '.ralph-sessions/260215-101500');
  mkdirSync(sessionDirectory, { recursive: true });
  return briefOf({
    role: 'Planner',
    mode: 'INITIALIZE',
    invocation: 'Planner-1',
    workspace,
    sessionDirectory,
    ...some,
  });
};
const put = (brief: Brief, file: string, text: string): void => {
  const path = join(brief.sessionDirectory, file);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
};
const get = (brief: Brief, file: string): string => readFileSync(join(brief.sessionDirectory, file), 'utf8');
const known = (task: Partial<TaskDefinition>, status: string, some: Partial<TaskBrief> = {}): TaskBrief => ({
  definition: taskOf(task),
  status,
  attempts: 1,
  ...some,
});

const plan = `goal: Ship it
tasks:
  - {id: one, title: First, files: [a.txt], run: ["echo a > a.txt"], verify: ["test -s a.txt"]}
  - {id: two, title: Second, blockedBy: [one], run: ["true"]}
`;

describe('INITIALIZE', () => {
  test('makes the skeletons of instructions and plan, and leaves a person’s own alone', async () => {
    const brief = session();
    const { end } = await liveRole(brief);
    expect(end.outcome).toMatchObject({
      artifacts_created: ['.ralph-sessions/260215-101500.instructions.md', 'iterations/1/plan.md'],
    });
    expect(get(brief, '../260215-101500.instructions.md')).toContain('## Concurrency');
    expect(get(brief, 'iterations/1/plan.md')).toContain('Ship the greeting service');
    const again = await liveRole(brief);
    expect(again.end.artifacts).toEqual([]);
  });
});

describe('TASK_BREAKDOWN', () => {
  test('makes the tasks of the plan the session was started with, and writes plan and task files', async () => {
    const brief = session({ mode: 'TASK_BREAKDOWN' });
    put(brief, 'plan.source.yaml', plan);
    const { end } = await liveRole(brief, {
      'Planner.start': go(info('the team is in Hanoi')),
      'Planner.breakdown.0': go(steer('keep it small')),
    });
    expect(end.tasks?.map(({ id, blockedBy }) => [id, blockedBy])).toEqual([
      ['one', []],
      ['two', ['one']],
    ]);
    expect(end.outcome).toMatchObject({ tasks_defined: 2, waves_planned: 2 });
    expect(parseTask(get(brief, 'iterations/1/tasks/one.md'), 'one').value.definition).toEqual(
      end.tasks?.[0],
    );
    expect(parseTask(get(brief, 'iterations/1/tasks/one.md'), 'one').value.inheritedBy).toEqual(['two']);
    const text = get(brief, 'iterations/1/plan.md');
    for (const words of [
      '1. one',
      '2. two',
      'STEER: keep it small',
      'INFO: the team is in Hanoi',
      '| one | First |',
    ])
      expect(text).toContain(words);
  });

  test('says what is wrong when there is no plan, or none that can be read', async () => {
    const brief = session({ mode: 'TASK_BREAKDOWN' });
    await expect(liveRole(brief)).rejects.toThrow('there is no plan to break down');
    put(brief, 'plan.source.yaml', 'goal: x\ntasks:\n  - {title: a, blocked_by: [b]}\n');
    await expect(liveRole(brief)).rejects.toThrow('blockedBy');
  });
});

describe('REBREAKDOWN_TASK', () => {
  const rebreak = (task: Partial<TaskDefinition>, some: Partial<Brief> = {}) =>
    session({ mode: 'REBREAKDOWN_TASK', task: taskOf(task), tasks: [known(task, 'open')], ...some });

  test('cuts the commands into two to four tasks, one after the other; the task stands for them from then on', async () => {
    const brief = rebreak({
      id: 'big',
      blockedBy: ['zero'],
      files: ['out'],
      criteria: ['c'],
      run: commands('a', 'b', 'c', 'd', 'e'),
      verify: commands('v'),
    });
    const { end } = await liveRole(brief);
    expect(
      end.tasks?.map(({ id, blockedBy, run, verify, files }) => [
        id,
        blockedBy,
        run.map(({ cmd }) => cmd),
        verify.length,
        files,
      ]),
    ).toEqual([
      ['big.1', ['zero'], ['a'], 0, []],
      ['big.2', ['big.1'], ['b'], 0, []],
      ['big.3', ['big.2'], ['c'], 0, []],
      ['big.4', ['big.3'], ['d', 'e'], 1, ['out']],
    ]);
    const original = parseTask(get(brief, 'iterations/1/tasks/big.md'), 'big').value.definition;
    expect(original.replaced_by).toEqual(['big.1', 'big.2', 'big.3', 'big.4']);
    expect(get(brief, 'iterations/1/tasks/big.4.md')).toContain('Part of big.');
  });

  test('keeps in `inherited_by` which tasks wait for the one that is written anew', async () => {
    const big = { id: 'big', run: commands('a', 'b', 'c') };
    const brief = rebreak(big, {
      tasks: [known(big, 'open'), known({ id: 'after', blockedBy: ['big'] }, 'open')],
    });
    await liveRole(brief);
    expect(get(brief, 'iterations/1/tasks/big.md')).toContain('inherited_by: [after]');
  });

  test('parts a single command from its verification, and leaves alone what cannot be cut', async () => {
    const pair = await liveRole(rebreak({ run: commands('a'), verify: commands('v') }));
    expect(pair.end.tasks?.map(({ run, verify }) => [run.length, verify.length])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    const single = await liveRole(rebreak({ run: commands('a') }));
    expect(single.end.tasks?.map(({ id }) => id)).toEqual(['task-1']);
  });

  test('never takes the name of another task', async () => {
    const id = `t${'x'.repeat(63)}`;
    const brief = rebreak(
      { id, run: commands('a', 'b') },
      { tasks: [known({ id: `t${'x'.repeat(61)}.1` }, 'open')] },
    );
    const ids = (await liveRole(brief)).end.tasks?.map((task) => task.id) ?? [];
    expect(ids).toEqual([`t${'x'.repeat(60)}.1x`, `t${'x'.repeat(61)}.2`]);
  });

  test('after an escalation rewrites the objective under the same id and keeps the commands', async () => {
    const task = { run: commands('a', 'b'), on_steer: commands('c'), objective: 'A table.' };
    const message = {
      id: 'escalation:task-1:2',
      kind: 'STEER',
      text: 'build a chart',
    } as const;
    const { end } = await liveRole(rebreak(task, { messages: [steer('guidance'), message] }));
    expect(end.tasks).toMatchObject([
      {
        id: 'task-1',
        objective: 'build a chart',
        run: task.run,
        on_steer: task.on_steer,
        replaced_by: [],
        notes: 'Before it was redefined: A table.',
      },
    ]);
    expect(end.artifacts).toHaveLength(1);
  });
});

describe('iteration N+1', () => {
  const feedback = `---
iteration: 2
timestamp: 2026-02-16T10:00:00+07:00
---
# Feedback
## Critical Issues
- [ ] **ISS-001**: task-1 greets in one language only
  - Evidence: a.txt
  - Suggested Fix: add French
- [ ] **ISS-002**: The cache is stale
  - Evidence: cache.json
  - Suggested Fix: run \`node tools/cache.mjs --fresh\`, then verify with \`test -s cache.json\` and see \`src/cache.ts\`
## Quality Issues
- [ ] **Q-001**: Names are long
`;
  const next = (some: Partial<Brief>): Brief => {
    const brief = session({
      iteration: 2,
      tasks: [
        known({ id: 'task-1' }, 'done'),
        known({ id: 'task-2' }, 'open', { reason: 'exit 1' }),
        known({ id: 'task-10' }, 'done'),
      ],
      ...some,
    });
    put(brief, 'iterations/1/plan.md', '# Plan (Iteration 1)\n\n## Goal\n\nKept words.\n');
    put(brief, 'iterations/2/feedbacks/20260216-100000/feedbacks.md', feedback);
    return brief;
  };

  test('UPDATE keeps the plan and appends what the feedback changes', async () => {
    const brief = next({ mode: 'UPDATE' });
    const { end } = await liveRole(brief);
    const text = get(brief, 'iterations/2/plan.md');
    expect(text).toContain('Kept words.');
    expect(text).toContain(
      '## Replanning History (Iteration 2)\n\n- Critical ISS-001: task-1 greets in one language only',
    );
    expect(text).toContain('- Noted, without a separate task: Q-001: Names are long');
    expect(end.tasks).toBeUndefined();
  });

  test('REBREAKDOWN inherits what is unfinished, opens what is named again, and makes the rest a task', async () => {
    const brief = next({ mode: 'REBREAKDOWN' });
    await liveRole({ ...brief, mode: 'UPDATE' });
    const { end } = await liveRole(brief);
    expect(end.tasks?.map(({ id, iteration }) => [id, iteration])).toEqual([
      ['task-2', 2],
      ['task-1', 2],
      ['iss-002', 2],
    ]);
    const fix = end.tasks?.find(({ id }) => id === 'iss-002');
    expect(fix).toMatchObject({
      title: 'The cache is stale',
      run: [{ cmd: 'node tools/cache.mjs --fresh' }],
      verify: [{ cmd: 'test -s cache.json' }],
    });
    expect(get(brief, 'iterations/2/plan.md')).toContain('task-1 is reopened for ISS-001');
    expect(parseTask(get(brief, 'iterations/2/tasks/task-1.md'), 'task-1').value.definition).toEqual(
      end.tasks?.[1],
    );
  });

  test('the agent that works on a task again is told the feedback', async () => {
    const brief = next({ mode: 'REBREAKDOWN' });
    const again = (await liveRole(brief)).end.tasks?.find(({ id }) => id === 'task-1');
    const task = taskOf({ ...again, run: commands('echo "$RALPH_INFO" > told.txt') });
    await liveRole({
      ...brief,
      role: 'Executor',
      mode: 'IMPLEMENT',
      invocation: 'Executor-9',
      task,
      attempt: 1,
    });
    expect(readFileSync(join(brief.workspace, 'told.txt'), 'utf8')).toBe(
      'ISS-001: task-1 greets in one language only add French\n',
    );
  });

  test('feedback-analysis looks into each critical issue and keeps it in questions/feedback-driven.md', async () => {
    const brief = next({ role: 'Questioner', mode: 'feedback-analysis', cycle: 1 });
    writeFileSync(join(brief.workspace, 'cache.json'), '{}');
    const { end } = await liveRole(brief);
    expect(end.outcome).toMatchObject({
      questions_generated: 2,
      questions_answered: 2,
      files_updated: ['iterations/2/questions/feedback-driven.md'],
    });
    const text = get(brief, 'iterations/2/questions/feedback-driven.md');
    expect(text).toContain('task-1 is done and is reopened.');
    expect(text).toContain('cache.json exists (2 bytes).');
  });
});

test('commands in a suggested fix are code spans that read like commands', () => {
  const cmds = (fix: string) => {
    const { run, verify } = commandsIn(fix);
    return [run.map(({ cmd }) => cmd), verify.map(({ cmd }) => cmd)];
  };
  expect(cmds('Use `npm test`. Check it with `npm run lint`.')).toEqual([['npm test'], ['npm run lint']]);
  expect(cmds('See `src/a.ts`, `Greeting`, `a`')).toEqual([[], []]);
  expect(cmds('Run `$ make`\n$ ./tools/fix.sh now')).toEqual([['make', './tools/fix.sh now'], []]);
  expect(cmds('The words `Greeting Service` and `two  words`')).toEqual([['two  words'], []]);
});
