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

test('a pull request that is refused after its last round needs a person, who reads what was tried and how it goes on', async () => {
  const { pullRequests } = forge(() => failed);
  const { session, engine, end, works } = await played({ pullRequests });
  expect(end.exitCode).toBe(1);
  expect(works).toHaveLength(2);
  const issue = await session.issue('1');
  expect(issue.state).toBe('Human Needed');
  expect(issue.comments.at(-1)?.body).toBe(
    [
      'Human Needed: the pull request was sent back to work once, and is refused again.',
      'The check lint failed.\nno-var',
      'To continue once the cause is gone: `ralph-tui issues move 1 in-progress`, then `ralph-tui run --issue 1`.',
    ].join('\n\n'),
  );
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

test('a comment of a member is a round of rework with its text, once; one that asks for nothing is done without a change', async () => {
  const said = (id: string, words: string) => ({ comments: { ids: [id], words: `kim commented: ${words}` } });
  const answered: (readonly string[])[] = [];
  const { pullRequests, merged } = forge((pushes) => {
    const known = answered.at(-1) ?? [];
    if (pushes === 1) return { ...passes, ...said('one', 'name it part') };
    return { ...passes, head: 'head-2', ...(known.includes('two') ? {} : said('two', 'thanks')) };
  });
  const { session, end, works } = await played({
    pullRequests: {
      ...pullRequests,
      look: (url, ids) => {
        answered.push([...(ids ?? [])]);
        return pullRequests.look(url, ids);
      },
    },
    idleFrom: 3,
    settings: { flow: { ...defaultSettings.flow, poll: 1_000, feedback_rounds: 2 } },
  });
  expect(end).toMatchObject({ exitCode: 0 });
  expect(merged).toEqual(['head-2']);
  expect(works).toHaveLength(3);
  expect(works[1]?.prompt).toContain('kim commented: name it part');
  expect(works[1]?.prompt).toContain('change nothing and say so');
  expect(works[2]?.prompt).toContain('kim commented: thanks');
  expect(session.all('pr.sent-back').map(({ feedback }) => feedback)).toEqual([
    'kim commented: name it part',
    'kim commented: thanks',
  ]);
  expect(answered.at(-1)).toEqual(['one', 'two']);
});

test('comments of members are bounded as failed checks are, also on one commit', async () => {
  const { pullRequests } = forge((pushes) => {
    const comments = { ids: [`id-${pushes}`], words: 'kim commented: and again' };
    return { ...passes, head: 'head-1', ...(pushes > 4 ? {} : { comments }) };
  });
  const { session, works } = await played({
    pullRequests,
    idleFrom: 2,
    settings: { flow: { ...defaultSettings.flow, poll: 1_000, feedback_rounds: 2 } },
  });
  expect(works).toHaveLength(3);
  const issue = await session.issue('1');
  expect(issue.state).toBe('Human Needed');
  expect(issue.comments.at(-1)?.body).toContain('kim commented: and again');
});

test('what was said about an adopted pull request before is no news, also after a round', async () => {
  const { pullRequests, merged } = forge((pushes) => (pushes === 1 ? failed : passes));
  const asked: (readonly string[])[] = [];
  const pushed: string[] = [];
  const { session } = await played({
    pullRequests: {
      ...pullRequests,
      open: async (wanted) => {
        const opened = await pullRequests.open(wanted);
        const said = pushed.length === 0 ? ['old'] : ['old', 'since'];
        pushed.push(wanted.branch);
        return opened.ok ? { ok: true, value: { ...opened.value, said } } : opened;
      },
      look: async (url, ids) => {
        // A look for its state alone reads no comments.
        if (ids !== undefined) asked.push([...ids]);
        return pullRequests.look(url, ids);
      },
    },
  });
  expect(merged).toEqual(['head-2']);
  expect(pushed).toHaveLength(2);
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.every((ids) => ids.join() === 'old')).toBe(true);
  expect(session.all('pr.sent-back')).toHaveLength(1);
});

test('work that changed no file is not done, whatever its agent and the Reviewer said: its issue needs a person, and nothing is proposed', async () => {
  const opened: string[] = [];
  const session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    idleFrom: 1,
    pullRequests: {
      open: async ({ branch }) => {
        opened.push(branch);
        return { ok: true, value: { url: 'https://forge.test/1' } };
      },
      look: async () => ({ ok: false, faults: [] }),
      merge: async () => ({ ok: false, faults: [] }),
    },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({ exitCode: 1 });
  expect(session.all('task.failed').map(({ reason }) => reason)).toEqual(Array(3).fill('it changed no file'));
  expect((await session.issue('1')).state).toBe('Human Needed');
  expect(opened).toEqual([]);
});
