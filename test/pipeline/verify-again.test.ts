import { expect, test } from 'vitest';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import {
  createPipelineRun,
  defineTask,
  ended,
  failedReview,
  goodOutcome,
  type PipelineRun,
  startedTask,
} from '../helpers/pipeline-run.ts';

interface How {
  /** What `b` changed, and what changed beside it that nobody declares. */
  readonly files?: readonly string[];
  readonly undeclared?: readonly string[];
  /** The second check of `a` fails. */
  readonly fails?: boolean;
  /** An agent reviews what the commands have checked. */
  readonly reviewer?: string;
  readonly isolation?: 'worktree';
  /** The task that `b` waits for. */
  readonly after?: string;
}

/** `a` passes its check while `c` works; `b` and `c` end afterwards. */
const play = ({
  files = [],
  undeclared = [],
  fails = false,
  reviewer,
  isolation,
  after,
}: How): PipelineRun => {
  let checks = 0;
  const run = createPipelineRun({
    tasks: [
      defineTask('a', { files: ['a.txt'], verify: [{ cmd: 'check' }] }),
      defineTask('c', { files: ['c.txt'] }),
      defineTask('b', { files: ['b.txt', 'a.txt'], blockedBy: after === undefined ? ['c'] : ['c', after] }),
    ],
    settings: (old) => ({
      ...old,
      ...(isolation === undefined ? {} : { isolation }),
      ...(reviewer === undefined ? {} : { roles: { ...old.roles, reviewer } }),
    }),
    script: (brief) => {
      if (brief.mode === 'IMPLEMENT') return brief.task?.id === 'a' ? undefined : null;
      if (brief.mode !== 'TASK_REVIEW' || brief.task?.id !== 'a') return undefined;
      checks += 1;
      return fails && checks === 2 ? [ended(brief, failedReview(brief))] : undefined;
    },
  }).start();
  run.work();
  for (const task of ['c', 'b']) {
    const brief = [...run.open.values()].find((open) => open.task?.id === task);
    if (!brief) throw new Error(`nobody works on ${task}`);
    run.tell(startedTask(brief));
    run.tell({
      type: 'attempt.snapshotted',
      task,
      attempt: 1,
      moment: 'after',
      commit: task,
      files: task === 'b' ? [...files] : [],
      ...(task === 'b' && undeclared.length > 0 ? { undeclared: [...undeclared] } : {}),
    });
    run.tell(ended(brief, goodOutcome(brief)));
    run.work();
  }
  run.finish();
  // The program that runs it knows what a later one reads.
  expect(evolveAll(null, run.events)).toEqual(run.state());
  return run;
};

const reviewsOf = (run: PipelineRun) =>
  run
    .of('invocation.started')
    .flatMap(({ mode, task, backend }) => (mode === 'TASK_REVIEW' && task === 'a' ? [backend] : []));

test.each([
  ['its own files', { files: ['a.txt'] }, ['a.txt']],
  ['a file that no task declares', { undeclared: ['package.json'] }, ['package.json']],
  [
    'a file that its task changed and did not declare',
    { files: ['b.txt', 'package.json'] },
    ['package.json'],
  ],
] as const)(
  'a task that passed beside others is verified once more before the end when %s changed since',
  (_, how, files) => {
    const run = play(how);
    expect(run.of('verify.outdated')).toMatchObject([{ task: 'a', attempt: 1, files }]);
    expect(reviewsOf(run)).toEqual(['script', 'script']);
    expect(run.path().indexOf('SESSION_REVIEW')).toBe(run.path().lastIndexOf('SESSION_REVIEW'));
    expect(run.state().tasks.get('a')).toMatchObject({ status: 'done', attempt: 1 });
    expect(run.end()).toMatchObject({ exit_code: 0 });
  },
);

test.each([
  ['nothing it depends on changed since', { files: ['b.txt'] }],
  ['only a task that builds on it changed its files', { files: ['a.txt'], after: 'a' }],
  ['each task has a worktree', { files: ['a.txt'], isolation: 'worktree' }],
] as const)('it is not verified again when %s', (_, how) => {
  const run = play(how);
  expect(run.of('verify.outdated')).toEqual([]);
  expect(run.end()).toMatchObject({ exit_code: 0 });
});

test('one that fails then gets another attempt, and the end waits for it', () => {
  const run = play({ files: ['a.txt'], fails: true });
  expect(run.of('task.failed')).toMatchObject([{ task: 'a', attempt: 1, counts: true }]);
  expect(run.of('task.started').filter(({ task }) => task === 'a')).toHaveLength(2);
  expect(run.end()).toMatchObject({ exit_code: 0 });
});

test('only its commands run again, not the review of an agent', () => {
  const run = play({ files: ['a.txt'], reviewer: 'claude' });
  expect(reviewsOf(run)).toEqual(['script', 'claude', 'script']);
  expect(run.end()).toMatchObject({ exit_code: 0 });
});
