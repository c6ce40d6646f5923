import { expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import type { PullRequestLook, PullRequests } from '../../src/issues/pull-requests/pull-requests.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { createFlowSession } from '../helpers/flow-session.ts';

const urlOf = (issue: string | undefined): string => `https://github.com/acme/greeter/pull/${issue}`;

test('checks that have passed are looked at once more before the merge: GitHub lists some of them later than others', async () => {
  let first: number | null = null;
  const merged: string[] = [];
  const session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    start: { auto_merge: true },
    settings: { flow: { ...defaultSettings.flow, poll: 1_000, feedback_rounds: 0 } },
    pullRequests: {
      open: async () => ({ ok: true, value: { url: urlOf('1') } }),
      look: async () => {
        first ??= session.clock.monotonic();
        const checks = session.clock.monotonic() - first < 900 ? 'passed' : 'failed';
        return { ok: true, value: { state: 'open', checks, head: 'c0ffee', feedback: 'late check' } };
      },
      merge: async (url) => {
        merged.push(url);
        return { ok: true, value: null };
      },
    },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.settle(engine);
  expect(merged).toEqual([]);
  expect((await session.issue('1')).state).toBe('Human Needed');
});

test('a pull request that conflicts needs a person, who finds the reason on its issue, and the other stream is merged', async () => {
  const merged: string[] = [];
  const pullRequests: PullRequests = {
    open: async ({ body }) => ({ ok: true, value: { url: urlOf(/Closes #(\d)/.exec(body)?.[1]) } }),
    look: async () => ({
      ok: true,
      value: { state: 'open', checks: 'passed', head: 'c0ffee', feedback: '' },
    }),
    merge: async (url) => {
      if (url === urlOf('3'))
        return { ok: false, faults: [{ code: 'not-mergeable', what: 'GitHub does not merge: conflict' }] };
      merged.push(url);
      return { ok: true, value: null };
    },
  };
  const session = createFlowSession({
    issues: {
      9: 'state: backlog',
      1: 'state: research-needed\nparent: "9"',
      3: 'state: research-needed\nparent: "9"',
    },
    start: { issue: '9', auto_merge: true },
    settings: { flow: { ...defaultSettings.flow, poll: 1_000 } },
    pullRequests,
  });
  // Git knows one of the documents here: it is the person's now.
  session.disk.mkdir('/work/.git');
  session.disk.put('/work/.git/HEAD', 'ref: refs/heads/main');
  session.disk.put('/work/.git/index', 'DIRC thoughts/shared/research/2026-02-15-GH-0001-issue-1.md\0');
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({ exitCode: 1 });
  expect(merged).toEqual([urlOf('1')]);
  const [one, three] = await Promise.all([session.issue('1'), session.issue('3')]);
  expect([one.state, three.state]).toEqual(['Done', 'Human Needed']);
  expect(three.comments.at(-1)?.body).toBe(
    `Human Needed: ${urlOf('3')}: GitHub does not merge: conflict\n\nTo continue once the cause is gone: \`ralph-tui issues move 3 in-progress\`, then \`ralph-tui run --issue 3\`.`,
  );
  expect(three.lock).toBeUndefined();
  // What the branches hold does not stand in the way of the next `git pull` or `git merge`.
  const kept = session.disk.tree('/work/thoughts').filter((path) => path.endsWith('.md'));
  expect(kept.filter((path) => path.includes('GH-0001'))).toEqual([
    '/work/thoughts/shared/research/2026-02-15-GH-0001-issue-1.md',
  ]);
  expect(kept.filter((path) => path.includes('GH-0003'))).toEqual([]);
});

test('while a pull request waits for its checks, a hundred looks leave no line, and our push is blamed on no agent', async () => {
  let looks = 0;
  let checks: PullRequestLook['checks'] = 'pending';
  const session: ReturnType<typeof createFlowSession> = createFlowSession({
    issues: {
      9: 'state: backlog',
      1: 'state: research-needed\nparent: "9"',
      3: 'state: research-needed\nparent: "9"',
    },
    start: { issue: '9' },
    attended: true,
    settings: { flow: { ...defaultSettings.flow, poll: 1_000 } },
    // The other stream works all the time.
    answers: ({ kind }, { task }) =>
      kind === 'implement' && task?.id === 'implement-3_stream' ? new Promise(() => {}) : undefined,
    pullRequests: {
      open: async () => {
        session.disk.put('/work/.git/refs/remotes/origin/ralph/1', 'b'.repeat(40));
        return { ok: true, value: { url: urlOf('1') } };
      },
      look: async () => {
        looks += 1;
        return { ok: true, value: { state: 'open', checks, head: 'a', feedback: '' } };
      },
      merge: async () => ({ ok: false, faults: [{ code: 'unasked', what: 'merged unasked' }] }),
    },
  });
  session.disk.mkdir('/work/.git/refs/remotes/origin/ralph');
  session.disk.put('/work/.git/HEAD', 'ref: refs/heads/main');
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.clock.advanceAsync(20_000);
  expect(session.find('pr.looked')?.state).toBe('pending');
  const before = session.events.length;
  const known = looks;
  await session.clock.advanceAsync(100_000);
  expect(looks - known).toBeGreaterThan(95);
  const after = session.events.slice(before).filter(({ type }) => /^(?:pr|flow|issues|timer)\./.test(type));
  expect(after).toEqual([]);
  checks = 'passed';
  await session.clock.advanceAsync(3_000);
  expect(session.all('pr.looked').at(-1)?.state).toBe('passed');
  expect(session.all('task.started').map(({ task }) => task)).toContain('implement-3_stream');
  session.publish({ type: 'ABORT' });
  await session.settle(engine);
  expect(session.all('problem.found')).toEqual([]);
});

test('without leave to merge --watch stays headless, takes what a person pushed back to work, and ends when it is merged', async () => {
  const looks: PullRequestLook[] = [
    { state: 'open', checks: 'passed', head: 'a', feedback: '' },
    { state: 'open', checks: 'failed', head: 'a', feedback: 'kim requested changes: name it part' },
    { state: 'open', checks: 'pending', head: 'b', feedback: '' },
    { state: 'merged', checks: 'passed', head: 'b', feedback: '' },
  ];
  let opened = 0;
  const session: ReturnType<typeof createFlowSession> = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    flags: { watch: true },
    settings: { flow: { ...defaultSettings.flow, poll: 1_000 } },
    pullRequests: {
      open: async () => {
        opened += 1;
        return { ok: true, value: { url: urlOf('1') } };
      },
      // A look that brings news is taken again for the journal.
      look: async () => {
        const look = looks[Math.min(session.all('pr.looked').length, looks.length - 1)];
        if (look === undefined) throw new Error('no look is left');
        return { ok: true, value: look };
      },
      merge: async () => ({ ok: false, faults: [{ code: 'unasked', what: 'merged unasked' }] }),
    },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({ exitCode: 0 });
  expect(session.all('pr.looked').map(({ state }) => state)).toEqual([
    'passed',
    'failed',
    'pending',
    'merged',
  ]);
  expect(opened).toBe(2);
  expect(session.asked.filter(({ kind }) => kind === 'implement').at(-1)?.prompt).toContain('name it part');
  expect((await session.issue('1')).state).toBe('Done');
});

test('a complete session whose pull request is open is watched by a start with --watch, without an agent, and its check sends it back to work', async () => {
  const looks: PullRequestLook[] = [
    { state: 'open', checks: 'pending', head: 'a', feedback: '' },
    { state: 'open', checks: 'failed', head: 'a', feedback: 'the check lint failed' },
    { state: 'merged', checks: 'passed', head: 'b', feedback: '' },
  ];
  const flags: { watch?: boolean } = {};
  let pushes = 0;
  const session: ReturnType<typeof createFlowSession> = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    flags,
    settings: { flow: { ...defaultSettings.flow, poll: 1_000 } },
    pullRequests: {
      open: async () => {
        pushes += 1;
        return { ok: true, value: { url: urlOf('1') } };
      },
      look: async () => {
        // A person merges what was pushed again.
        const look = looks[Math.min(session.all('pr.looked').length, pushes)];
        if (look === undefined) throw new Error('no look is left');
        return { ok: true, value: look };
      },
      merge: async () => ({ ok: false, faults: [{ code: 'unasked', what: 'merged unasked' }] }),
    },
  });
  const settled = async (engine: Engine) => {
    expect(await engine.start()).toBeNull();
    return session.settle(engine);
  };
  expect(await settled(session.begin())).toMatchObject({ status: 'completed', exitCode: 0 });
  const before = session.asked.length;
  // Without --watch a start finds the session complete.
  expect(await settled(session.resume())).toMatchObject({ status: 'completed', exitCode: 0 });
  expect(session.all('pr.looked')).toEqual([]);
  flags.watch = true;
  expect(await settled(session.resume())).toMatchObject({ status: 'completed', exitCode: 0 });
  expect(session.all('pr.looked').map(({ state }) => state)).toEqual(['pending', 'failed', 'merged']);
  const asked = session.asked.slice(before);
  expect(asked.map(({ kind }) => kind)).toEqual(['implement', 'flow-pr']);
  expect(asked[0]?.prompt).toContain('the check lint failed');
  expect((await session.issue('1')).state).toBe('Done');
  // Watched to its end: another start watches nothing.
  expect(await settled(session.resume())).toMatchObject({ exitCode: 0 });
  expect(session.all('pr.looked')).toHaveLength(3);
});

test.each([
  ['cancels', 'Canceled', '1 is Canceled'],
  ['closes', 'Done', '1 is Done'],
  ['deletes', null, '1 was deleted'],
] as const)(
  'an issue that a person %s right before its agent ends is not merged, and what does not wait for it is',
  async (_does, to, reason) => {
    const session: ReturnType<typeof createFlowSession> = createFlowSession({
      issues: {
        1: 'state: ready-for-plan',
        2: 'state: ready-for-plan',
        3: 'state: ready-for-plan\nblockedBy: ["1", "2"]',
      },
      start: { issue: '3' },
      answers: async ({ kind }, { task }) => {
        if (kind !== 'implement' || task?.id !== 'implement-1') return undefined;
        if (to === null) session.disk.unlink('/work/.ralph/issues/1.md');
        else await session.person.update('1', { state: to, lock: null }, null);
        return undefined;
      },
    });
    const engine = session.begin();
    expect(await engine.start()).toBeNull();
    await session.settle(engine);
    expect(session.find('task.cancelled', ({ task }) => task === 'implement-1')?.reason).toBe(reason);
    // A done issue is no blocker, but a blocker that does not exist is one.
    const landed = to === null ? ['implement-2'] : ['implement-2', 'implement-3'];
    expect(session.all('merge.landed').map(({ task }) => task)).toEqual(landed);
    expect(session.find('merge.rejected')).toMatchObject({ task: 'implement-1', cause: { who: 'person' } });
    expect((await session.issue('2')).state).toBe('In Review');
  },
);

test('an issue of a stream that a person closes during the work is in no pull request and gets no document of it', async () => {
  const bodies: string[] = [];
  const session: ReturnType<typeof createFlowSession> = createFlowSession({
    issues: {
      9: 'state: backlog',
      1: 'state: research-needed\nparent: "9"',
      2: 'state: research-needed\nparent: "9"',
      3: 'state: research-needed\nparent: "9"',
    },
    start: { issue: '9' },
    settings: { flow: { ...defaultSettings.flow, poll: 1_000 } },
    answers: async ({ kind }, { task }) => {
      if (kind === 'implement' && task?.id === 'implement-1_stream')
        await session.person.update('2', { state: 'Canceled', lock: null }, null);
      // The agent orders GitHub to close what it likes.
      return kind === 'flow-pr'
        ? { status: 'completed', result: { title: 'The change', body: 'Closes #2, fixes #4.' } }
        : undefined;
    },
    pullRequests: {
      open: async ({ body }) => {
        bodies.push(body);
        return { ok: true, value: { url: urlOf('1') } };
      },
      look: async () => ({ ok: false, faults: [{ code: 'unasked', what: 'looked unasked' }] }),
      merge: async () => ({ ok: false, faults: [{ code: 'unasked', what: 'merged unasked' }] }),
    },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({ exitCode: 0 });
  expect(bodies.flatMap((body) => body.match(/Closes #\d/g) ?? []).sort()).toEqual([
    'Closes #1',
    'Closes #3',
  ]);
  const prompt = session.asked.find(({ task }) => task === 'pr-1_stream')?.prompt ?? '';
  expect(prompt).not.toContain('issue 2 of the tracker');
  expect(prompt).toContain('The body of 1.');
  expect(prompt).not.toContain('The body of 2.');
  const two = await session.issue('2');
  expect(two.state).toBe('Canceled');
  expect(two.comments.filter(({ body }) => body.startsWith('## Implementation'))).toEqual(
    two.comments.filter(({ body }) => body.startsWith('## Implementation Plan')),
  );
});
