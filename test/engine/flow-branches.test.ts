import { expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { unseenCode } from '../../src/engine/flow/flow-port.ts';
import { formatArtifactComment } from '../../src/issues/documents/artifact-comment.ts';
import type { PullRequestLook, PullRequests } from '../../src/issues/pull-requests/pull-requests.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { createFlowSession, type FlowSessionOptions } from '../helpers/flow-session.ts';

const started = async (engine: Engine): Promise<Engine> => {
  expect(await engine.start()).toBeNull();
  return engine;
};

const url = 'https://github.com/acme/greeter/pull/7';

/** One pull request whose checks are given, for each time that it was pushed. */
const forge = (...checks: readonly PullRequestLook['checks'][]) => {
  const calls: string[] = [];
  let pushed = 0;
  const pullRequests: PullRequests = {
    open: async ({ branch }) => {
      calls.push(`open ${branch}`);
      pushed += 1;
      return { ok: true, value: { url } };
    },
    look: async () => {
      const now = checks[Math.max(0, pushed - 1)] ?? 'passed';
      return { ok: true, value: { state: 'open', checks: now, head: `head ${pushed}`, feedback: now } };
    },
    merge: async (which, head) => {
      calls.push(`merge ${which} at ${head}`);
      return { ok: true, value: null };
    },
  };
  return { calls, pullRequests };
};

const merging = (options: Partial<FlowSessionOptions>) =>
  createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    start: { auto_merge: true },
    ...options,
    settings: { flow: { ...defaultSettings.flow, poll: 1_000 }, ...options.settings },
  });

test('a branch that is not pushed because of a changed hook waits for a person to look at it', async () => {
  const { pullRequests } = forge('passed');
  const session = merging({
    pullRequests: {
      ...pullRequests,
      open: async () => ({ ok: false, faults: [{ code: unseenCode, what: '.husky/pre-push changed' }] }),
    },
  });
  expect(await session.settle(await started(session.begin()))).toMatchObject({
    exitCode: 3,
    reason: 'gate: .husky/pre-push changed',
  });
});

test('an issue in review from an earlier session is not called merged: nothing of its work is on a new branch', async () => {
  const session = merging({ issues: { 1: 'state: in-review' } });
  const end = await session.settle(await started(session.begin()));
  expect(end).toMatchObject({ exitCode: 1 });
  expect(end.reason).toBe(
    '1 was worked on before this session, which has checked nothing of it: merge the branch of that work, then run `ralph-tui issues move 1 done`',
  );
  expect((await session.issue('1')).state).toBe('In Review');
  expect(session.all('result.recorded')).toEqual([]);
});

test('its pull request is merged at the commit whose checks passed, and only when an earlier session of ours linked it and it is no draft', async () => {
  const linked = async (
    by: 'us' | 'a member' | 'nobody known',
    checks: PullRequestLook['checks'],
    isDraft = false,
  ) => {
    const { calls, pullRequests } = forge(checks);
    const session = merging({
      issues: { 1: 'state: in-review' },
      pullRequests: {
        ...pullRequests,
        look: async (which) => {
          const looked = await pullRequests.look(which);
          return looked.ok ? { ok: true, value: { ...looked.value, isDraft } } : looked;
        },
      },
      tracker: (tracker) => ({
        ...tracker,
        show: async (id) => {
          const shown = await tracker.show(id);
          if (!shown.ok || by !== 'a member') return shown;
          const asMember = { author: 'lee', role: 'member', editedBy: null } as const;
          const comments = shown.value.comments.map((comment) => ({ ...comment, ...asMember }));
          return { ok: true, value: { ...shown.value, comments } };
        },
      }),
    });
    const body = formatArtifactComment({ kind: 'implementation', location: url, summary: [] });
    const posted = await session.person.comment('1', body);
    if (by === 'us' && posted.ok) session.remember(posted.value);
    const end = await session.settle(await started(session.begin()));
    return { calls, exit: end.exitCode, state: (await session.issue('1')).state };
  };
  expect(await linked('us', 'passed')).toEqual({ calls: [`merge ${url} at head 0`], exit: 0, state: 'Done' });
  expect(await linked('us', 'passed', true)).toEqual({ calls: [], exit: 1, state: 'In Review' });
  expect(await linked('us', 'failed')).toEqual({ calls: [], exit: 1, state: 'In Review' });
  for (const by of ['a member', 'nobody known'] as const)
    expect(await linked(by, 'passed'), by).toEqual({ calls: [], exit: 1, state: 'In Review' });
});

test('a pull request whose text the engine wrote is watched like any other', async () => {
  const { calls, pullRequests } = forge('failed', 'passed');
  const session = merging({
    settings: { flow: { ...defaultSettings.flow, poll: 1_000, agents: { pr: 'script' } } },
    pullRequests,
  });
  expect(await session.settle(await started(session.begin()))).toMatchObject({ exitCode: 0 });
  expect(session.asked.filter(({ kind }) => kind === 'implement')).toHaveLength(2);
  expect(calls.filter((call) => call.startsWith('open'))).toHaveLength(2);
  expect(calls.at(-1)).toBe(`merge ${url} at head 2`);
  expect((await session.issue('1')).state).toBe('Done');
});

test('an issue that a person takes over right before the merge is not merged', async () => {
  const session: ReturnType<typeof merging> = merging({
    settings: { flow: { ...defaultSettings.flow, poll: 3_600_000 } },
    tracker: (tracker) => ({
      ...tracker,
      comment: async (id, body) => {
        const made = await tracker.comment(id, body);
        if (body.startsWith('## Implementation Complete')) isOpened = true;
        return made;
      },
      update: async (id, change, revision) => {
        const updated = await tracker.update(id, change, revision);
        if (isOpened && change.state === 'In Review')
          await session.person.update('1', { state: 'Human Needed' }, null);
        return updated;
      },
    }),
  });
  let isOpened = false;
  expect(await session.settle(await started(session.begin()))).toMatchObject({ exitCode: 1 });
  expect((await session.issue('1')).state).toBe('Human Needed');
  expect(session.find('result.recorded', ({ task }) => task === 'merge-1')).toBeUndefined();
});

test('no issue stays locked by a session that has ended: its work is done, and its pull request never came', async () => {
  const session: ReturnType<typeof merging> = merging({
    issues: { 1: 'state: ready-for-plan', 2: 'state: ready-for-plan\nblockedBy: ["1"]' },
    answers: ({ kind }, { task }) => {
      if (kind === 'implement' && task?.id === 'implement-1')
        session.publish({ type: 'CANCEL', task: 'pr-1_group' });
      return undefined;
    },
  });
  expect(await session.settle(await started(session.begin()))).toMatchObject({ exitCode: 1 });
  expect(session.find('task.qualified', ({ task }) => task === 'implement-1')).toBeDefined();
  expect(session.find('result.recorded', ({ task }) => task.startsWith('pr'))).toBeUndefined();
  for (const id of ['1', '2']) expect((await session.issue(id)).lock).toBeUndefined();
});

test('a task that a person cancelled stays off when the list is made again after a split, and the list is made once', async () => {
  const session: ReturnType<typeof merging> = merging({
    issues: {
      9: 'state: backlog',
      1: 'state: backlog\nparent: "9"',
      3: 'state: research-needed\nparent: "9"',
    },
    start: { issue: '9', auto_merge: false },
    answers: ({ kind }, { task }) => {
      if (kind === 'flow-triage' && task?.id === 'triage-1')
        return { status: 'completed', result: { action: 'split', reason: 'it is two' } };
      if (kind !== 'flow-research' || task?.id !== 'research-3') return undefined;
      session.publish({ type: 'CANCEL', task: 'research-3' });
      return new Promise(() => undefined);
    },
  });
  const engine = await started(session.begin());
  for (
    let spent = 0;
    engine.state().running && spent < 200 && session.all('tasks.defined').length < 50;
    spent += 1
  )
    await session.clock.advanceAsync(1_000);
  expect(session.all('tasks.defined').length).toBeLessThan(20);
  expect(engine.state().running).toBe(false);
  expect(engine.state().tasks.get('research-3')?.status).toBe('cancelled');
  const created = session.find('result.recorded', ({ task }) => task === 'split-1')?.created ?? [];
  expect(created).toHaveLength(2);
});

test('a session whose tasks all work on the branch of a stream removes their worktrees', async () => {
  const session = merging({
    issues: { 1: 'state: in-progress' },
    settings: {
      isolation: 'worktree',
      flow: { ...defaultSettings.flow, poll: 1_000 },
      loop: { ...defaultSettings.loop, verify: ['true'] },
    },
  });
  expect(await session.settle(await started(session.begin()))).toMatchObject({ status: 'completed' });
  const tasksOf = (type: 'worktree.prepared' | 'worktree.removed') =>
    session.all(type).map(({ task }) => task);
  expect(tasksOf('worktree.prepared')).toEqual(['implement-1', 'pr-1']);
  expect(tasksOf('worktree.removed')).toEqual(tasksOf('worktree.prepared'));
});
