import { expect, test } from 'vitest';
import type { PullRequestLook } from '../../src/issues/pull-requests/pull-requests.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { refusedWords } from '../../src/words/stream-words.ts';
import { createFlowSession, type FlowSessionOptions } from '../helpers/flow-session.ts';

const url = 'https://forge.test/1';
const failed = { state: 'open', checks: 'failed', feedback: 'The check lint failed.\nno-var' } as const;

/** A forge that shows what it is told about the head of the last push; it may show an older one for some looks. */
const forge = (
  look: (pushes: number, looks: number) => Omit<PullRequestLook, 'head'> & { head?: string },
) => {
  let pushes = 0;
  let looks = 0;
  const merged: string[] = [];
  const pullRequests: NonNullable<FlowSessionOptions['pullRequests']> = {
    open: async () => {
      pushes += 1;
      looks = 0;
      return { ok: true, value: { url } };
    },
    look: async () => {
      looks += 1;
      return { ok: true, value: { head: `head-${pushes}`, ...look(pushes, looks) } };
    },
    merge: async (_, head) => {
      merged.push(head);
      return { ok: true, value: null };
    },
  };
  return { pullRequests, merged };
};

const passes = { state: 'open', checks: 'passed', feedback: '' } as const;

const played = async (options: Omit<FlowSessionOptions, 'issues'>) => {
  const session = createFlowSession({
    issues: { 1: 'state: in-progress' },
    start: { auto_merge: true },
    settings: { flow: { ...defaultSettings.flow, poll: 1_000, feedback_rounds: 1 } },
    ...options,
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  const end = await session.settle(engine);
  const works = session.asked.filter(({ kind }) => kind === 'implement');
  return { session, engine, end, works };
};

test('a commit that was sent back is not read again while GitHub still shows it after the push', async () => {
  const { pullRequests, merged } = forge((pushes, looks) => {
    if (pushes === 1) return failed;
    return looks < 4 ? { ...failed, head: 'head-1' } : passes;
  });
  const { session, end, works } = await played({ pullRequests });
  expect(end).toMatchObject({ exitCode: 0 });
  expect(works).toHaveLength(2);
  expect(merged).toEqual(['head-2']);
  expect(session.all('pr.sent-back')).toHaveLength(1);
});

test('rework that changes nothing is not done: it is tried again, is no second round, and needs a person in the end', async () => {
  const { pullRequests } = forge((pushes) => (pushes === 1 ? failed : passes));
  const { session, engine, end, works } = await played({ pullRequests, idleFrom: 2 });
  expect(end.exitCode).toBe(1);
  expect(works.length).toBeGreaterThan(2);
  expect(session.all('pr.sent-back')).toHaveLength(1);
  expect(session.all('task.failed').at(-1)?.reason).toBe(
    'it changed nothing, but its pull request was sent back: The check lint failed.\nno-var',
  );
  const issue = await session.issue('1');
  expect(issue.state).toBe('Human Needed');
  expect(issue.comments.at(-1)?.body).toContain('The check lint failed.');
  const state = engine.state();
  expect(state === null ? [] : refusedWords(state)).toEqual([
    '1: sent back (round 1 of 1): The check lint failed.',
  ]);
});

test('a person who merges the pull request while it is worked on again ends that work, and the issue is done', async () => {
  let looks = 0;
  const { pullRequests } = forge(() => {
    looks += 1;
    return looks === 1 ? failed : { state: 'merged', checks: 'failed', feedback: '' };
  });
  const { session, end, works } = await played({
    pullRequests,
    // The agent works until it is stopped.
    answers: ({ kind }, { attempt = 1 }) =>
      kind === 'implement' && attempt > 1 ? new Promise(() => {}) : undefined,
  });
  expect(end).toMatchObject({ exitCode: 0 });
  expect(works).toHaveLength(2);
  expect(await session.issue('1')).toMatchObject({ state: 'Done' });
  expect((await session.issue('1')).lock).toBeUndefined();
});
