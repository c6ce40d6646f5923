import { expect, test } from 'vitest';
import type { Brief } from '../../../src/agents/port.ts';
import type { ChangesStep } from '../../../src/pipeline/changes/changes-state.ts';
import type { EventBody } from '../../../src/pipeline/event.ts';
import type { Settings } from '../../../src/session/settings.ts';
import type { TaskDefinition } from '../../../src/tasks/task.ts';
import { reviewerOutcome } from '../../helpers/outcomes.ts';
import {
  createPipelineRun,
  defineTask,
  ended,
  failedReview,
  goodOutcome,
  type PipelineRun,
} from '../../helpers/pipeline-run.ts';

const tasks = [
  defineTask('a', { files: ['x.ts'], verify: [{ cmd: 'check' }] }),
  defineTask('b', { files: ['x.ts'] }),
  defineTask('c', { blockedBy: ['b'] }),
  defineTask('d', { blockedBy: ['a'] }),
];

interface How {
  readonly tasks?: readonly TaskDefinition[];
  readonly attended?: boolean;
  readonly git?: (step: ChangesStep, run: PipelineRun) => EventBody | undefined;
  readonly script?: (brief: Brief) => readonly EventBody[] | null | undefined;
  readonly settings?: Partial<Settings>;
}

const session = ({ attended = true, git, script, settings, tasks: given = tasks }: How = {}): PipelineRun =>
  createPipelineRun({
    tasks: given,
    attended,
    settings: (defaults) => ({
      ...defaults,
      isolation: 'worktree',
      changes: { at_end: 'keep' },
      knowledge: { ...defaults.knowledge, gate: 'never' },
      ...settings,
    }),
    ...(git ? { git } : {}),
    ...(script ? { script } : {}),
  }).start({ attended });

/** The facts about merges, in words. */
const merges = (run: PipelineRun): readonly string[] =>
  run.events.flatMap((event) => {
    if (event.type === 'attempt.merged') return [`${event.task} merged`];
    if (event.type === 'task.qualified') return [`${event.task} done`];
    if (event.type === 'merge.taken-back') return [`${event.task} taken back`];
    if (event.type === 'invocation.started' && event.mode === 'TASK_REVIEW')
      return [`${event.task} reviewed`];
    return [];
  });

const conflict = (step: ChangesStep): EventBody | undefined =>
  step.kind === 'merge' && step.task === 'b' && step.take === null && step.attempt === 1
    ? { type: 'merge.conflicted', task: 'b', attempt: 1, files: ['x.ts'], against: ['a'] }
    : undefined;

const answer = (run: PipelineRun, request: string, text: string): void => {
  run.tell({ type: 'question.answered', request, answer: text, by: 'kim', signal: 's1' });
  run.work();
};

test('tasks of one wave that change the same file run side by side, and merge one after another in the order of the graph', () => {
  let most = 0;
  const run = session({
    script: () => {
      most = Math.max(most, run.open.size);
      return undefined;
    },
  });
  run.work();
  expect(most).toBe(2);
  // a has commands alone for its review: they run once, on its merge.
  expect(merges(run).slice(0, 6)).toEqual([
    'a merged',
    'a reviewed',
    'b reviewed',
    'a done',
    'b merged',
    'b done',
  ]);
  expect(run.end()).toMatchObject({ exit_code: 0 });
  expect(run.of('changes.finished')).toMatchObject([{ how: 'keep' }]);
});

test('verify that fails after the merge takes it back, and the task starts afresh with the reason', () => {
  const run = session({
    script: (brief) =>
      brief.merged && brief.attempt === 1
        ? [
            {
              type: 'invocation.ended',
              invocation: brief.invocation,
              outcome: reviewerOutcome('Failed', 'check exited 1'),
            },
          ]
        : undefined,
  });
  run.work();
  expect(
    merges(run)
      .filter((fact) => fact.startsWith('a '))
      .slice(0, 3),
  ).toEqual(['a merged', 'a reviewed', 'a taken back']);
  expect(run.of('task.failed')).toMatchObject([
    { task: 'a', reason: 'after the merge: check exited 1', counts: true },
  ]);
  const again = run.of('invocation.started').find(({ task, attempt }) => task === 'a' && attempt === 2);
  expect(again?.messages).toMatchObject([{ text: 'after the merge: check exited 1' }]);
  expect(run.end()).toMatchObject({ exit_code: 0 });
});

test('a check that fails while the next merge is made on its own waits for that one, and both are made again', () => {
  const both = ['a', 'b'].map((id) => defineTask(id, { verify: [{ cmd: 'check' }] }));
  const run = session({
    tasks: both,
    git: (step, { open, tell }) => {
      const check = [...open.values()].find(
        ({ task, merged, attempt }) => task?.id === 'a' && merged && attempt === 1,
      );
      if (step.kind !== 'merge' || step.task !== 'b' || check === undefined) return undefined;
      const outcome = reviewerOutcome('Failed', 'check exited 1');
      tell({ type: 'invocation.ended', invocation: check.invocation, outcome });
      return undefined;
    },
  });
  run.work();
  const facts = run.events.flatMap((event) =>
    /^(?:merge\.(?:started|rejected|taken-back)|attempt\.merged)$/.test(event.type) && 'task' in event
      ? [`${event.task} ${event.type}`]
      : [],
  );
  expect(facts.slice(0, 8)).toEqual([
    'a merge.started',
    'a attempt.merged',
    'b merge.started',
    'b attempt.merged',
    'a merge.rejected',
    'a merge.taken-back',
    'b merge.started',
    'b attempt.merged',
  ]);
  expect(run.end()).toMatchObject({ exit_code: 0 });
});

test('a conflict asks a person, blocks only what depends on it, and goes on with the chosen side', () => {
  const run = session({ git: conflict });
  run.work();
  expect(run.of('question.asked')).toMatchObject([
    { request: 'merge:b:1:1', text: expect.stringContaining('b conflicts with a in x.ts') },
  ]);
  expect(run.state().tasks.get('d')?.status).toBe('done');
  expect(run.state().tasks.get('c')?.status).toBe('open');
  expect(run.end()).toBeUndefined();
  answer(run, 'merge:b:1:1', 'task');
  expect(run.of('merge.started').at(-2)).toMatchObject({ task: 'b', take: 'task' });
  expect(run.state().tasks.get('c')?.status).toBe('done');
  expect(run.end()).toMatchObject({ exit_code: 0 });
});

/** What is checked on the merge of b when a person chose this side of its conflict with a. */
const checkedOn = (side: string, fails: (commands: readonly string[]) => boolean = () => false) => {
  const checks: string[][] = [];
  const run = session({
    git: conflict,
    script: (brief) => {
      if (brief.mode !== 'TASK_REVIEW' || brief.task?.id !== 'b') return undefined;
      const commands = brief.task.verify.map(({ cmd }) => String(cmd));
      checks.push(commands);
      return fails(commands) ? [ended(brief, failedReview(brief, 'check a exited 1'))] : undefined;
    },
  });
  run.work();
  answer(run, 'merge:b:1:1', side);
  return { run, checks };
};

test('a side chosen over merged lines is checked by the commands of the task whose lines gave way, too', () => {
  const { checks } = checkedOn('task');
  expect(checks).toEqual([[], ['check']]);
});

test('where these fail the merge leaves the train, so that nothing is done although its check fails', () => {
  const { run } = checkedOn('task', (commands) => commands.length > 0);
  expect(run.of('merge.rejected')).toMatchObject([
    { task: 'b', reason: 'after the merge, checked as a too, whose lines gave way: check a exited 1' },
  ]);
  expect(run.state().tasks.get('a')?.status).toBe('done');
});

test.each([
  ['drop', { b: 'cancelled', c: 'open' }, 1],
  ['again', { b: 'done', c: 'done' }, 0],
  ['write it below', { b: 'done', c: 'done' }, 0],
])('a conflict answered with %j', (text, wanted, code) => {
  const run = session({ git: conflict });
  run.work();
  answer(run, 'merge:b:1:1', text);
  const status = (id: string) => run.state().tasks.get(id)?.status;
  expect({ b: status('b'), c: status('c') }).toEqual(wanted);
  expect(run.end()).toMatchObject({ exit_code: code });
});

test('a conflict answered with edited while markers are left is asked again as a conflict, with the places', () => {
  const run = session({
    git: (step) =>
      step.kind === 'merge' && step.take === 'edited'
        ? {
            type: 'merge.refused',
            task: 'b',
            attempt: 1,
            reason: 'there are still conflict markers in x.ts:1.',
            unresolved: true,
          }
        : conflict(step),
  });
  run.work();
  answer(run, 'merge:b:1:1', 'edited');
  expect(run.of('question.asked').at(-1)).toMatchObject({
    request: 'merge:b:1:2',
    text: expect.stringMatching(
      /^b was not merged: there are still conflict markers in x\.ts:1\. Which version should be kept\?/,
    ),
    options: ['session', 'task', 'edited', 'again', 'drop'].map((id) => ({ id })),
  });
  answer(run, 'merge:b:1:2', 'task');
  expect(run.end()).toMatchObject({ exit_code: 0 });
});

test('with nobody there a conflict stops the session once all else is done, and the next start asks the same', () => {
  const run = session({ git: conflict, attended: false });
  run.work();
  expect(run.end()).toMatchObject({ exit_code: 3, reason: expect.stringContaining('b conflicts with a') });
  expect(run.state().tasks.get('d')?.status).toBe('done');
  run.start({ attended: false }).work();
  expect(run.of('question.asked')).toHaveLength(1);
});

test('a start after a crash asks git again for the step under way', () => {
  const run = session({
    settings: {
      concurrency: { max_parallel_executors: 1, max_parallel_reviewers: 1, max_parallel_checks: 1 },
    },
  });
  run.work();
  const started = run.events.findIndex(({ type }) => type === 'merge.started');
  run.crash(run.events.length - started - 1);
  run.work();
  expect(run.of('merge.started').map(({ task }) => task)).toEqual(['a', 'b', 'd', 'c']);
  expect(run.end()).toMatchObject({ exit_code: 0 });
});

test('a refused merge is merged once a person looked at it', () => {
  const run = session({
    git: (step) =>
      step.kind === 'merge' && step.task === 'a' && !step.anyway
        ? { type: 'merge.refused', task: 'a', attempt: 1, reason: 'a.ts:3 looks like a secret.' }
        : undefined,
  });
  run.work();
  answer(run, 'merge:a:1:1', 'merge');
  expect(run.of('merge.started').find(({ anyway }) => anyway)).toMatchObject({ task: 'a' });
  expect(run.end()).toMatchObject({ exit_code: 0 });
});

test('commands that a model wrote run on the merge, or their task is not merged', () => {
  const reviewed = (settings: Partial<Settings>) => {
    const run = session({ attended: false, settings: { roles: { planner: 'claude' }, ...settings } });
    run.work();
    const looks = merges(run).filter((word) => word === 'a reviewed').length;
    return {
      looks,
      merged: run.of('attempt.merged').some(({ task }) => task === 'a'),
      exit: run.end()?.exit_code,
    };
  };
  expect(reviewed({})).toEqual({ looks: 0, merged: false, exit: 3 });
  expect(reviewed({ permissions: 'workspace' })).toEqual({ looks: 1, merged: true, exit: 0 });
  expect(reviewed({ permissions: 'all' })).toEqual({ looks: 1, merged: true, exit: 0 });
});

test.each([
  ['worktree', ['a merged', 'a reviewed', 'a done', 'd reviewed', 'd merged', 'd done']],
  ['shared', ['a reviewed', 'a done', 'd reviewed', 'd done']],
] as const)(
  'while another task still runs in %s isolation, these results are reviewed and merged: %s',
  (isolation, reviewed) => {
    const run = session({
      tasks: tasks.map((task) => (task.id === 'b' ? { ...task, files: ['y.ts'] } : task)),
      settings: { isolation },
      script: (brief) => (brief.task?.id === 'b' && brief.mode === 'IMPLEMENT' ? null : undefined),
    });
    run.work();
    expect(run.state().state).toBe('EXECUTING_BATCH');
    expect(merges(run)).toEqual(reviewed);
  },
);

test.each([
  ['cancelled', { type: 'task.cancelled', task: 'a', reason: 'CANCEL by kim', signal: 's1' }],
  ['opened again', { type: 'task.reset', task: 'a', reason: 'RETRY by kim', signal: 's1' }],
] as const)(
  'a merge whose task is %s while it is made, or before it is verified, is taken back',
  (_, decision) => {
    for (const when of ['merge', 'verify'] as const) {
      let isTold = false;
      const run: PipelineRun = session({
        git: ({ kind }) => {
          if (kind === 'merge' && when === 'merge' && !isTold) {
            isTold = true;
            run.commit(decision);
          }
          return undefined;
        },
        script: ({ merged }) => (merged && when === 'verify' && !isTold ? null : undefined),
      });
      run.work();
      if (when === 'verify') {
        isTold = true;
        const [invocation = ''] = run.open.keys();
        run.tell(decision, { type: 'invocation.interrupted', invocation, reason: 'cancel' });
        run.work();
      }
      expect(merges(run), when).toContain('a taken back');
      const merged = run.of('attempt.merged').filter(({ task }) => task === 'a');
      expect(merged, when).toHaveLength(decision.type === 'task.reset' ? 2 : 1);
      const { tasks: now, changes } = run.state();
      expect(now.get('a')?.status, when).toBe(decision.type === 'task.reset' ? 'done' : 'cancelled');
      expect(now.get('b')?.status, when).toBe('done');
      expect(changes.merges, when).toBe(decision.type === 'task.reset' ? 4 : 2);
      expect(run.end(), when).toBeDefined();
    }
  },
);

test('an approved task is merged while a person has not decided about another of its wave', () => {
  const run = session({ settings: { review: 'person' } });
  run.work();
  answer(run, 'review:a:1', 'accept');
  expect(run.state().tasks.get('b')?.review).toBe('open');
  expect(merges(run)).toContain('a done');
});

/** `a` and `b` have a check; agents of the others work until the test says so. */
const train = (checks: Readonly<Record<string, boolean | null>>, more: How = {}) => {
  const held = new Map(Object.entries(checks));
  const run = session({
    tasks: ['a', 'b', 'c', 'd'].map((id) => defineTask(id, { verify: id === 'd' ? [] : [{ cmd: 'check' }] })),
    settings: {
      concurrency: { max_parallel_executors: 4, max_parallel_reviewers: 4, max_parallel_checks: 4 },
    },
    script: ({ merged, task, invocation, attempt }) => {
      const passes = merged && attempt === 1 ? held.get(task?.id ?? '') : true;
      if (passes === null) return null;
      return passes === false
        ? [{ type: 'invocation.ended', invocation, outcome: reviewerOutcome('Failed', 'check exited 1') }]
        : undefined;
    },
    ...more,
  });
  return { run, held };
};

const landings = (run: PipelineRun) =>
  run.events.flatMap((event) => (event.type === 'merge.landed' ? [event.task] : []));

test('merges are verified at the same time, and land in their order once all before them have passed', () => {
  const { run, held } = train({ a: null, b: true, c: null });
  run.work();
  expect(run.state().changes.train.map(({ task }) => task)).toEqual(['a', 'b', 'c', 'd']);
  expect([...run.open.values()].map(({ task, merged }) => [task?.id, merged])).toEqual([
    ['a', true],
    ['c', true],
  ]);
  expect(run.state().tasks.get('b')).toMatchObject({ status: 'review', review: 'verified' });
  expect(landings(run)).toEqual([]);
  held.set('a', true);
  run.work();
  expect(landings(run)).toEqual(['a', 'b']);
  held.set('c', true);
  run.work();
  expect(landings(run)).toEqual(['a', 'b', 'c', 'd']);
  expect(run.end()).toMatchObject({ exit_code: 0 });
});

test('a merge that fails leaves the train; those behind it are merged and verified again, those before it stay', () => {
  const { run, held } = train({ a: null, b: null, c: true });
  run.work();
  expect(run.state().tasks.get('c')?.review).toBe('verified');
  held.set('b', false);
  run.answer([...run.open].find(([, { task }]) => task?.id === 'b')?.[0]);
  expect(run.state().changes.train.map(({ task }) => task)).toEqual(['a', 'c', 'd']);
  expect(run.of('attempt.merged').filter(({ task }) => task === 'c')).toHaveLength(2);
  expect(run.state().tasks.get('c')?.review).toBe('merged');
  held.set('a', true);
  run.work();
  expect(landings(run)).toEqual(['a', 'c', 'd', 'b']);
  expect(run.of('task.failed')).toMatchObject([{ task: 'b', attempt: 1, counts: true }]);
  expect(run.end()).toMatchObject({ exit_code: 0 });
});

test('the check of a merge that is made again is stopped, and its result counts for nothing', () => {
  const { run, held } = train({ a: false, b: null, c: true });
  run.work();
  const stopped = run.effects.filter(({ type }) => type === 'stop-invocation');
  expect(stopped).toMatchObject([{ reason: 'retry' }, { reason: 'retry' }]);
  expect(run.of('merge.verified').filter(({ task }) => task === 'b')).toEqual([]);
  held.set('b', true);
  run.work();
  expect(landings(run).toSorted()).toEqual(['a', 'b', 'c', 'd']);
});

test('a task that works again does not hold up the merges that were made behind its first one', () => {
  const run = session({
    tasks: ['a', 'b'].map((id) => defineTask(id, { verify: [{ cmd: 'check' }] })),
    script: ({ merged, mode, task, attempt }) =>
      task?.id === 'a' && (mode === 'IMPLEMENT' ? attempt === 2 : merged) ? null : undefined,
    git: (step, { open, tell }) => {
      const check = [...open.values()].find(({ task, merged }) => task?.id === 'a' && merged);
      if (step.kind !== 'merge' || step.task !== 'b' || check === undefined) return undefined;
      tell(
        { type: 'task.reset', task: 'a', reason: 'RETRY by kim', signal: 's1' },
        { type: 'invocation.interrupted', invocation: check.invocation, reason: 'retry' },
      );
      return undefined;
    },
  });
  run.work();
  expect(run.state().tasks.get('a')).toMatchObject({ attempt: 2 });
  expect(landings(run)).toEqual(['b']);
});

test('no slot is kept for what waits until the check of another merge is over', () => {
  const run = session({
    tasks: [
      defineTask('a', { verify: [{ cmd: 'check' }] }),
      ...['x', 'y', 'z'].map((id, at, ids) =>
        defineTask(id, { blockedBy: [at === 0 ? 'a' : (ids[at - 1] ?? '')] }),
      ),
      defineTask('b'),
      defineTask('c', { blockedBy: ['b'] }),
      defineTask('e', { blockedBy: ['c'] }),
      defineTask('d'),
    ],
    settings: {
      concurrency: { max_parallel_executors: 1, max_parallel_reviewers: 2, max_parallel_checks: 2 },
    },
    script: ({ merged, task }) => (merged && task?.id === 'a' ? null : undefined),
  });
  run.work();
  expect(run.state().changes.train.map(({ task }) => task)).toEqual(['a', 'b', 'd']);
});

test('of an aborted iteration counts what is on the branch, not what its train had merged', () => {
  const { run } = train({ a: true, b: null, c: null });
  run.work();
  expect(landings(run)).toEqual(['a']);
  run.tell({ type: 'abort.requested', by: 'kim', signal: 's1' });
  run.commit({ type: 'iteration.started', iteration: 2, feedback: [], tasks: [] });
  const { train: left, merges: stand, attempts } = run.state().changes;
  expect({ left, stand }).toEqual({ left: [], stand: 1 });
  expect([...attempts.values()].filter(({ merged }) => merged !== null).map(({ task }) => task)).toEqual([
    'a',
  ]);
});

test('while merges are verified attempts begin, and only what depends on one waits for it', () => {
  const { run } = train(
    { a: null },
    {
      tasks: [
        defineTask('a', { verify: [{ cmd: 'check' }] }),
        defineTask('b', { blockedBy: ['a'] }),
        defineTask('c'),
        defineTask('d', { blockedBy: ['c'], verify: [{ cmd: 'check' }] }),
      ],
    },
  );
  run.work();
  const begun = run
    .of('invocation.started')
    .flatMap(({ mode, task }) => (mode === 'IMPLEMENT' ? [task] : []));
  expect(begun).toEqual(['a', 'c']);
  expect(run.state().tasks.get('c')).toMatchObject({ status: 'review', review: 'merged' });
});

test('a merge that conflicts with one that is not verified yet waits for it before a person is asked', () => {
  const git = (step: ChangesStep): EventBody | undefined =>
    step.kind === 'merge' && step.task === 'b' && run.state().changes.train.length > 0
      ? { type: 'merge.deferred', task: 'b', attempt: 1 }
      : undefined;
  const { run, held } = train({ a: null, c: true }, { git });
  run.work();
  expect(run.state().changes.train.map(({ task }) => task)).toEqual(['a', 'c', 'd']);
  expect(run.of('question.asked')).toEqual([]);
  held.set('a', true);
  run.work();
  expect(landings(run)).toEqual(['a', 'c', 'd', 'b']);
});

test('a branch that somebody moved while merges were verified gets them anew', () => {
  let moved = true;
  const git = (step: ChangesStep): EventBody | undefined => {
    if (step.kind !== 'land' || !moved) return undefined;
    moved = false;
    return { type: 'landing.refused', task: step.task, attempt: step.attempt, reason: 'ralph/s moved' };
  };
  const { run } = train({}, { git });
  run.work();
  expect(landings(run)).toEqual(['a', 'b', 'c', 'd']);
  expect(run.of('merge.verified').filter(({ task }) => task === 'a')).toHaveLength(2);
  expect(run.end()).toMatchObject({ exit_code: 0 });
});

test('at the end a person is asked what becomes of the branch, and nothing but the word merges it', () => {
  const run = session({ settings: { changes: { at_end: 'ask' } } });
  run.work();
  expect(run.of('question.asked')).toMatchObject([
    {
      request: 'changes:1:0',
      kind: 'changes',
      options: [{ id: 'keep' }, { id: 'merge' }, { id: 'squash' }, { id: 'pull-request' }],
    },
  ]);
  answer(run, 'changes:1:0', 'please merge it');
  expect(run.of('changes.finished')).toMatchObject([{ how: 'keep' }]);
  expect(run.end()).toMatchObject({ exit_code: 0 });
});

test.each([
  ['a', 'contains 2 merges, but not the work of 2 tasks (1 failed, 1 unreachable).'],
  ['c', 'contains 3 merges, but not the work of 1 failed task.'],
])('a person who decides about the branch is told whose work it lacks: %s failed', (failing, said) => {
  const run = session({
    settings: { changes: { at_end: 'ask' } },
    script: ({ task, mode, invocation }) =>
      task?.id === failing && mode === 'TASK_REVIEW'
        ? [{ type: 'invocation.ended', invocation, outcome: reviewerOutcome('Failed', 'no') }]
        : undefined,
  });
  run.work();
  expect(run.of('question.asked')).toMatchObject([{ text: expect.stringContaining(said) }]);
});

test('a person who decides about the branch is told which of their hooks its commits have not passed', () => {
  const run = session({ settings: { changes: { at_end: 'ask' } } });
  run.tell({
    type: 'changes.opened',
    branch: 'ralph/s',
    base: 'c0',
    directory: '/trees/s',
    hooks: [
      { name: 'pre-commit', runs: 'npm test' },
      { name: 'commit-msg', runs: null },
    ],
  });
  run.work();
  expect(run.of('question.asked')).toMatchObject([
    {
      text: expect.stringContaining(
        'branch? Commits of this session do not run your hooks pre-commit (`npm test`), commit-msg, which may refuse them later.',
      ),
    },
  ]);
});

test('an attempt that changed nothing is no merge on the branch, and has no commit', () => {
  const git = (step: ChangesStep): EventBody | undefined =>
    step.kind === 'merge' && step.task !== 'b' ? nothingMerged(step) : undefined;
  const run = session({ git, settings: { changes: { at_end: 'ask' } } });
  run.work();
  expect(run.of('question.asked')).toMatchObject([
    { text: expect.stringContaining('contains 1 merge. What') },
  ]);
  expect(
    run
      .of('task.qualified')
      .map(({ task, commit }) => `${task} ${commit}`)
      .toSorted(),
  ).toEqual(['a undefined', 'b merge-b-1', 'c undefined', 'd undefined']);
});

test('taking back an attempt that changed nothing leaves the number of merges', () => {
  const run = session({
    git: (step) => (step.kind === 'merge' && step.task === 'a' ? nothingMerged(step) : undefined),
    script: ({ merged, task, invocation }) =>
      merged && task?.id === 'a'
        ? [{ type: 'invocation.ended', invocation, outcome: reviewerOutcome('Failed', 'no') }]
        : undefined,
  });
  run.work();
  expect(merges(run)).toContain('a taken back');
  expect(run.state().changes.merges).toBe(2);
});

const nothingMerged = ({ task, attempt }: Extract<ChangesStep, { kind: 'merge' }>): EventBody => ({
  type: 'attempt.merged',
  task,
  attempt,
  before: 'same',
  commit: 'same',
  files: [],
});

test('a merge that was to follow unasked is asked about where the review finds the goals not achieved', () => {
  const script = (brief: Brief): readonly EventBody[] | undefined => {
    const outcome = goodOutcome(brief);
    return brief.mode === 'SESSION_REVIEW' && outcome.role === 'Reviewer'
      ? [
          {
            type: 'invocation.ended',
            invocation: brief.invocation,
            outcome: { ...outcome, goals_achieved: false, gaps: ['no page'] },
          },
        ]
      : undefined;
  };
  const asked = session({ script, settings: { changes: { at_end: 'merge' } } });
  asked.work();
  expect(asked.of('finish.started')).toEqual([]);
  expect(asked.of('question.asked')).toMatchObject([
    { text: expect.stringContaining('The review of the session finds its goals not achieved: no page.') },
  ]);
  const alone = session({ script, attended: false, settings: { changes: { at_end: 'squash' } } });
  alone.work();
  expect(alone.of('changes.finished')).toMatchObject([{ how: 'keep' }]);
  expect(alone.end()).toMatchObject({ status: 'awaiting_feedback', exit_code: 1 });
  const proposes = session({ script, settings: { changes: { at_end: 'pull-request' } } });
  proposes.work();
  expect(proposes.of('finish.started')).toMatchObject([{ how: 'pull-request' }]);
});

test('a refused end asks again with the reason; with nobody there the branch is kept', () => {
  const git = (step: ChangesStep): EventBody | undefined =>
    step.kind === 'finish' && step.how === 'merge'
      ? { type: 'finish.refused', reason: 'main moved on.' }
      : undefined;
  const asked = session({ git, settings: { changes: { at_end: 'merge' } } });
  asked.work();
  expect(asked.of('question.asked')).toMatchObject([{ text: expect.stringContaining('main moved on.') }]);
  const alone = session({ git, attended: false, settings: { changes: { at_end: 'merge' } } });
  alone.work();
  expect(alone.of('changes.finished')).toMatchObject([{ how: 'keep' }]);
  expect(alone.end()).toMatchObject({
    status: 'completed',
    exit_code: 1,
    reason: expect.stringMatching(/^changes stay on .*: main moved on\.$/),
  });
});

test('a wave that only waits for a person does not spin', () => {
  const run = session({ git: (step) => (step.kind === 'merge' ? refusedAll(step) : undefined) });
  run.work();
  expect(run.state()).toMatchObject({ state: 'BATCHING', running: true });
  expect(run.of('question.asked').map(({ request }) => request)).toEqual(['merge:a:1:1', 'merge:b:1:1']);
});

const refusedAll = ({ task, attempt }: Extract<ChangesStep, { kind: 'merge' }>): EventBody => ({
  type: 'merge.refused',
  task,
  attempt,
  reason: 'a hook changed.',
});
