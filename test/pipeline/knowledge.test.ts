import { describe, expect, test } from 'vitest';
import {
  createPipelineRun,
  defineTask,
  ended,
  goodOutcome,
  type PipelineRun,
} from '../helpers/pipeline-run.ts';

const tasks = [defineTask('one')];
const files = ['how-to/build.md', 'reference/api.md'];

const staging = (options: Parameters<typeof createPipelineRun>[0] = {}): PipelineRun =>
  createPipelineRun({
    tasks,
    attended: true,
    script: (brief) => {
      const outcome = goodOutcome(brief);
      return brief.mode === 'STAGE' && outcome.role === 'Librarian'
        ? [ended(brief, { ...outcome, staged: files })]
        : undefined;
    },
    ...options,
  }).start();

const approvalOf = (run: PipelineRun) => run.state().planItems.get('plan-knowledge-approval');
const decide = { type: 'gate.decided', gate: 'knowledge', by: 'kim', signal: 's' } as const;

test('on a screen the gate waits without a deadline, and starts nothing', () => {
  const run = staging().finish();
  expect(run.state()).toMatchObject({ state: 'KNOWLEDGE_APPROVAL', running: true });
  expect(run.state().gate).toMatchObject({ deadlineMs: null, files });
  expect(run.open.size).toBe(0);
});

test('APPROVE promotes all that is staged', () => {
  const run = staging().finish();
  run.tell({ ...decide, decision: 'approve' });
  expect([...run.open.values()]).toMatchObject([{ mode: 'PROMOTE', promote: files }]);
  run.finish();
  expect(approvalOf(run)).toEqual({ mark: 'done', note: null });
  expect(run.end()).toMatchObject({ status: 'completed' });
});

test('APPROVE of a selection promotes only that', () => {
  const run = staging().finish();
  run.tell({ ...decide, decision: 'approve', files: ['reference/api.md'] });
  expect([...run.open.values()]).toMatchObject([{ promote: ['reference/api.md'] }]);
  run.finish();
  expect(run.state().knowledge.promoted).toEqual(['reference/api.md']);
});

test('SKIP completes without promoting, and the reason stands at the approval', () => {
  const run = staging().finish();
  run.tell({ ...decide, decision: 'skip', message: 'too specific' });
  expect(approvalOf(run)).toEqual({ mark: 'cancelled', note: 'too specific' });
  expect(run.state().knowledge).toMatchObject({ staged: files, promoted: [], carried: [] });
  expect(run.end()).toMatchObject({ status: 'completed' });
});

test('the first decision counts', () => {
  const run = staging().finish();
  run.tell({ ...decide, decision: 'skip' }, { ...decide, decision: 'approve' });
  run.finish();
  expect(run.end()).toMatchObject({ status: 'completed' });
  expect(run.of('invocation.started').map((event) => event.mode)).not.toContain('PROMOTE');
});

test('the deadline carries forward', () => {
  const run = staging({
    tasks,
    attended: true,
    settings: (old) => ({ ...old, knowledge: { ...old.knowledge, approval_timeout: 60_000 } }),
  }).work();
  const gate = run.of('gate.opened')[0];
  expect(gate?.deadline_ms).toBe(Date.parse(gate?.at ?? '') + 60_000 - 10);
  expect(run.elapse()).toBe('gate:knowledge');
  expect(run.of('gate.decided')).toMatchObject([{ decision: 'carry', by: 'the deadline passed' }]);
  expect(approvalOf(run)).toEqual({ mark: 'cancelled', note: 'Carried forward: the deadline passed' });
  expect(run.state().knowledge.carried).toEqual(run.state().knowledge.staged);
});

test('headless nothing passes: no person can decide here', () => {
  const run = staging({
    tasks,
    attended: false,
    settings: (old) => ({ ...old, knowledge: { ...old.knowledge, approval_timeout: 0 } }),
  }).finish();
  expect(run.of('gate.decided')).toMatchObject([{ decision: 'carry', by: 'no person can decide here' }]);
});

test('a deadline runs on while the program is down and while the session is held', () => {
  const run = staging({
    tasks,
    attended: true,
    settings: (old) => ({ ...old, knowledge: { ...old.knowledge, approval_timeout: 60_000 } }),
  }).work();
  run.tell({ type: 'hold.requested', signal: null, by: 'kim' });
  run.crash();
  expect(run.elapse()).toBe('gate:knowledge');
  expect(run.of('gate.decided')).toMatchObject([{ decision: 'carry' }]);
  expect(run.state().state).toBe('KNOWLEDGE_APPROVAL');
  run.tell({ type: 'hold.ended', signal: null, by: 'kim' });
  expect(run.end()).toMatchObject({ status: 'completed' });
});

test('headless without a deadline carries at once, after one last look into the mailbox', () => {
  const polled: string[] = [];
  const run = staging({ tasks, attended: false, poll: (checkpoint) => polled.push(checkpoint) }).finish();
  expect(run.of('gate.decided')).toMatchObject([{ decision: 'carry', by: 'no person can decide here' }]);
  expect(polled).toContain('Orchestrator.approval');
  expect(run.end()).toMatchObject({ status: 'completed', exit_code: 0 });
});

test('an APPROVE that lies in the mailbox already is taken headless too', () => {
  const run = createPipelineRun({
    tasks,
    poll: (checkpoint, session) => {
      if (checkpoint === 'Orchestrator.approval') session.commit({ ...decide, decision: 'approve' });
    },
  })
    .start()
    .finish();
  expect(run.of('gate.decided')).toMatchObject([{ decision: 'approve' }]);
  expect(run.state().knowledge.promoted).toEqual(['how-to/build.md']);
});

test('nothing staged: the approval is cancelled with the words that others look for', () => {
  const run = createPipelineRun({
    tasks,
    attended: true,
    script: (brief) => {
      const outcome = goodOutcome(brief);
      return outcome.role === 'Librarian' ? [ended(brief, { ...outcome, staged: [] })] : undefined;
    },
  })
    .start()
    .finish();
  expect(approvalOf(run)).toEqual({
    mark: 'cancelled',
    note: 'Empty extraction — no items to approve',
  });
  expect(run.path()).not.toContain('KNOWLEDGE_APPROVAL');
});

test('ABORT at the gate leaves the tasks and what is staged, and cancels the approval', () => {
  const run = staging().finish();
  run.tell({ type: 'abort.requested', signal: 's', by: 'kim' });
  expect(approvalOf(run)).toEqual({ mark: 'cancelled', note: 'Aborted by signal' });
  expect(run.state().tasks.get('one')?.status).toBe('done');
  expect(run.state().knowledge.staged).toEqual(files);
  expect(run.end()).toMatchObject({ status: 'aborted', exit_code: 130 });
});

test('when the gate closes, what is left in the mailbox for it is swept', () => {
  const run = staging().finish();
  run.tell({ ...decide, decision: 'skip' });
  expect(run.effects).toContainEqual({
    type: 'sweep-signals',
    why: 'gate-closed',
    reason: 'gate already decided',
  });
});

describe('knowledge.gate', () => {
  const runWith = (gate: 'auto' | 'never', roles: Readonly<Record<string, string>> = {}): PipelineRun =>
    staging({
      tasks,
      attended: true,
      settings: (old) => ({ ...old, roles, knowledge: { ...old.knowledge, gate } }),
    }).finish();

  test('auto does not ask about what commands alone have written', () => {
    const run = runWith('auto');
    expect(run.of('gate.opened')).toEqual([]);
    expect(run.end()).toMatchObject({ status: 'completed' });
    expect(approvalOf(run)).toEqual({
      mark: 'cancelled',
      note: 'Not asked — no agent with a model wrote the lessons',
    });
  });

  test('auto asks about what an agent with a model has written, once a task passed', () => {
    const run = runWith('auto', { librarian: 'own' });
    expect(run.of('gate.opened')).toHaveLength(1);
  });

  test('never asks nobody, and promotes nothing', () => {
    const run = runWith('never', { librarian: 'own' });
    expect(run.of('gate.opened')).toEqual([]);
    expect(run.state().knowledge.promoted).toEqual([]);
    expect(approvalOf(run)).toEqual({ mark: 'cancelled', note: 'Not asked — knowledge.gate is never' });
  });
});

describe('the lessons beside the review of the session', () => {
  const roles = { reviewer: 'own', librarian: 'own' };
  const begin = (named: Readonly<Record<string, string>> = roles): PipelineRun => {
    const run = staging({ tasks, attended: true, settings: (old) => ({ ...old, roles: named }) });
    while (run.state().state !== 'SESSION_REVIEW') run.answer();
    return run;
  };
  const modes = (run: PipelineRun) => [...run.open.values()].map(({ mode }) => mode);
  const openOf = (run: PipelineRun, wanted: string): string =>
    [...run.open.values()].find(({ mode }) => mode === wanted)?.invocation ?? '';

  test('are collected by an agent of a model while the review is written, whichever ends first', () => {
    for (const first of ['SESSION_REVIEW', 'STAGE']) {
      const run = begin();
      expect(modes(run)).toEqual(['SESSION_REVIEW', 'STAGE']);
      run.answer(openOf(run, first));
      run.finish();
      expect(run.state().state).toBe('KNOWLEDGE_APPROVAL');
      expect(run.of('invocation.started').filter(({ mode }) => mode === 'STAGE')).toHaveLength(1);
    }
  });

  test.each([{ reviewer: 'own' }, { librarian: 'own' }])(
    'follow it where code does one of both: %j',
    (named) => {
      const run = begin(named);
      expect(modes(run)).toEqual(['SESSION_REVIEW']);
      run.answer();
      expect(modes(run)).toEqual(['STAGE']);
    },
  );

  test('are collected again when a task was opened again before the review was there', () => {
    const run = begin();
    run.answer(openOf(run, 'STAGE'));
    run.tell({ type: 'task.reset', task: 'one', reason: 'RETRY by kim' });
    run.finish();
    expect(
      run
        .of('invocation.started')
        .map(({ mode }) => mode)
        .filter((mode) => mode === 'STAGE'),
    ).toHaveLength(2);
    expect(run.state().state).toBe('KNOWLEDGE_APPROVAL');
  });

  test('wait with the review for the end of a pause', () => {
    const run = staging({ tasks, attended: true, settings: (old) => ({ ...old, roles }) });
    while (run.state().state !== 'REVIEWING_BATCH') run.answer();
    run.tell({ type: 'hold.requested', signal: null, by: 'kim' });
    run.work();
    expect(modes(run)).toEqual([]);
    run.tell({ type: 'hold.ended', signal: null, by: 'kim' });
    expect(modes(run)).toEqual(['SESSION_REVIEW', 'STAGE']);
  });
});
