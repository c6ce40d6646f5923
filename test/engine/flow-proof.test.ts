import { expect, test } from 'vitest';
import type { Tracker } from '../../src/issues/trackers/tracker.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import type { SessionOptions } from '../helpers/engine-session.ts';
import { createFlowSession } from '../helpers/flow-session.ts';

type Session = ReturnType<typeof createFlowSession>;

const checked = { loop: { ...defaultSettings.loop, verify: ['npm test'] } };

const ended = async (session: Session) => {
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  return session.settle(engine);
};

test('an implementation must pass the commands of the person on its branch: a failure is taken back, and the next attempt reads it', async () => {
  let runs = 0;
  const session: Session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    start: { auto_merge: true },
    settings: checked,
    program: () => {
      runs += 1;
      return runs === 1 ? { exit: 1, output: [{ text: '1 failing: greets nobody\n' }] } : {};
    },
  });
  expect(await ended(session)).toMatchObject({ exitCode: 0 });
  expect(session.spawn.started.map(({ command }) => command)).toEqual(['npm test', 'npm test']);
  expect(session.all('merge.rejected')).toMatchObject([{ task: 'implement-1' }]);
  const work = session.asked.filter(({ kind }) => kind === 'implement');
  expect(work).toHaveLength(2);
  expect(work[1]?.prompt).toContain('greets nobody');
  expect((await session.issue('1')).state).toBe('Done');
});

test('work that never passes them is in no pull request, and its issue needs a person and has no lock', async () => {
  const session: Session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    start: { auto_merge: true },
    settings: checked,
    program: () => ({ exit: 1 }),
  });
  expect((await ended(session)).exitCode).toBe(1);
  expect(session.all('result.recorded').map(({ task }) => task)).toEqual(['plan-1', 'review-1']);
  expect(await session.issue('1')).toMatchObject({ state: 'Human Needed' });
  expect((await session.issue('1')).lock).toBeUndefined();
});

test('without such a command nothing is merged into the branch of the person, and the issue says how it can be', async () => {
  const session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    start: { auto_merge: true },
  });
  expect((await ended(session)).exitCode).toBe(1);
  const { state, comments } = await session.issue('1');
  expect(state).toBe('Human Needed');
  expect(comments.at(-1)?.body).toMatch(
    /No command checks the work: set loop\.verify, or review it and merge it with `git merge --no-overwrite-ignore ralph\/.+`/,
  );
  expect(session.find('result.recorded', ({ task }) => task === 'merge-1')).toBeUndefined();
});

/** Two streams, 1 and 3, which may be merged as their commands pass. */
const twoStreams = (
  program: SessionOptions['program'],
  tracker: (tracker: Tracker) => Tracker = (same) => same,
): Session =>
  createFlowSession({
    issues: {
      9: 'state: backlog',
      1: 'state: research-needed\nparent: "9"',
      3: 'state: research-needed\nparent: "9"',
    },
    start: { issue: '9', auto_merge: true },
    settings: { ...checked, worktree: { setup: ['npm ci'], teardown: [], copy: [] } },
    program,
    tracker,
  });

test('the second stream is verified together with the first, in a worktree that was set up, before it is merged', async () => {
  const session = twoStreams(() => ({}));
  expect(await ended(session)).toMatchObject({ exitCode: 0 });
  const [proposed, ...more] = session.all('merge.proposed');
  expect(more).toEqual([]);
  const inside = session.spawn.started.filter(({ cwd }) => cwd === proposed?.directory);
  expect(inside.map(({ command }) => command)).toEqual(['npm ci', 'npm test']);
  const types = session.events.flatMap((event) =>
    'task' in event && event.task === proposed?.task ? [event.type] : [],
  );
  expect(types.filter((type) => /^(?:task|merge|result)\./.test(type))).toEqual([
    'merge.proposed',
    'task.verified',
    'result.recorded',
    'task.qualified',
  ]);
  expect([(await session.issue('1')).state, (await session.issue('3')).state]).toEqual(['Done', 'Done']);
});

test('two streams that pass alone and fail together are not both merged: the second needs a person, who reads what failed', async () => {
  const session: Session = twoStreams(({ command, cwd }) =>
    command === 'npm test' && cwd === session.find('merge.proposed')?.directory
      ? { exit: 1, output: [{ text: '1 failing: greets twice\n' }] }
      : {},
  );
  expect((await ended(session)).exitCode).toBe(1);
  expect(session.all('merge.proposed')).toHaveLength(1);
  const merged = session.all('result.recorded').filter(({ result }) => result['state'] === 'MERGED');
  expect(merged).toHaveLength(1);
  const issues = await Promise.all([session.issue('1'), session.issue('3')]);
  expect(issues.map(({ state }) => state).toSorted()).toEqual(['Done', 'Human Needed']);
  const left = issues.find(({ state }) => state === 'Human Needed');
  expect(left?.comments.at(-1)?.body).toMatch(/not merged, because the merged result failed: .*npm test/);
  expect(left?.comments.at(-1)?.body).toContain('greets twice');
  expect(left?.lock).toBeUndefined();
});

test('a commit of the person that comes right before the merge is verified together with it', async () => {
  let looks = 0;
  const session: Session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    start: { auto_merge: true },
    settings: checked,
    program: () => ({}),
    examined: (git) => {
      const step = session.all('flow.step-started').at(-1)?.step;
      if (step?.kind !== 'record' || step.task !== 'merge-1') return;
      looks += 1;
      // The first look belongs to the proposal, which finds nothing to verify.
      git.personMoved ||= looks === 2;
    },
  });
  expect(await ended(session)).toMatchObject({ reason: expect.stringContaining('a branch has moved') });
  expect(session.find('result.recorded', ({ task }) => task === 'merge-1')).toBeUndefined();
  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(await session.settle(again)).toMatchObject({ exitCode: 0 });
  expect(session.all('merge.proposed')).toHaveLength(1);
  expect(session.all('task.verified')).toMatchObject([{ task: 'merge-1' }]);
});

test('a start after a crash between the commands and the merge verifies nothing twice', async () => {
  const session = twoStreams(() => ({}));
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  while (session.find('task.verified') === undefined) await session.clock.advanceAsync(50);
  session.kill();
  const again = session.resume();
  expect(await again.start()).toBeNull();
  expect(await session.settle(again)).toMatchObject({ exitCode: 0 });
  expect(session.all('task.verified')).toHaveLength(1);
  expect((await session.issue('3')).state).toBe('Done');
});

test.each([
  ['makes its commit', false],
  ['is about to merge what was verified', true],
])(
  'a merge that a person cancels while git %s stays cancelled, and nothing of it is merged',
  async (_, verified) => {
    const gate = Promise.withResolvers<void>();
    const merged = () => session.all('result.recorded').filter(({ result }) => result['state'] === 'MERGED');
    const session: Session = twoStreams(
      () => ({}),
      (tracker) => ({
        ...tracker,
        show: async (id) => {
          if (underWay() !== null) await gate.promise;
          return tracker.show(id);
        },
      }),
    );
    /** The merge of the second stream, once it is at work. */
    const underWay = (): string | null => {
      const step = session.all('flow.step-started').at(-1)?.step;
      const first = merged()[0]?.task;
      if (first === undefined || verified !== (session.find('task.verified') !== undefined)) return null;
      // The step of the first stays the last one until the second gets there.
      const isSecond = step?.kind === 'record' && step.task.startsWith('merge-') && step.task !== first;
      return isSecond ? step.task : null;
    };
    const engine = session.begin();
    expect(await engine.start()).toBeNull();
    while (underWay() === null) await session.clock.advanceAsync(50);
    const task = underWay() ?? '';
    session.publish({ type: 'CANCEL', task });
    while (session.find('task.cancelled') === undefined) await session.clock.advanceAsync(50);
    gate.resolve();
    await session.settle(engine);
    expect(engine.state().tasks.get(task)?.status).toBe('cancelled');
    expect(merged()).toHaveLength(1);
  },
);
