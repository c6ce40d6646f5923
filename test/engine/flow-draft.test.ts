import { expect, test } from 'vitest';
import type { PullRequestLook, PullRequests } from '../../src/issues/pull-requests/pull-requests.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { createFlowSession, type FlowSessionOptions } from '../helpers/flow-session.ts';

type Wanted = Parameters<PullRequests['open']>[0];

const url = 'https://forge.test/1';

/** A place that keeps the text of its one pull request. `edited`: a person rewrote the draft. */
const place = (edited = false) => {
  const opened: {
    readonly draft: Wanted['draft'] | undefined;
    readonly body: string;
    readonly isNew: boolean;
  }[] = [];
  let text: string | null = null;
  const pullRequests: PullRequests = {
    open: async ({ draft, body, isOurs }) => {
      const isNew = text === null;
      const writes = text === null || isOurs?.(edited ? `${text}, said Kim` : text) === true;
      opened.push({ draft, body: writes ? body : '', isNew });
      if (writes) text = body;
      return { ok: true, value: { url, hasOtherText: !writes, ...(isNew ? {} : { said: ['kim/1'] }) } };
    },
    look: async () => ({ ok: false, faults: [{ code: 'tracker-down', what: 'GitHub answered 500' }] }),
    merge: async () => ({ ok: false, faults: [] }),
  };
  return { opened, pullRequests };
};

const played = async (options: FlowSessionOptions) => {
  const session = createFlowSession({ ...options, start: { draft: true, ...options.start } });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({ exitCode: 0 });
  return session;
};

const pair = {
  9: 'state: backlog',
  1: 'state: ready-for-plan\nparent: "9"',
  2: 'state: ready-for-plan\nparent: "9"',
};

test('a draft shows the plan before the work begins, ticks off each issue whose work is reviewed, and gets its text in the end', async () => {
  const { opened, pullRequests } = place();
  const session = await played({
    issues: pair,
    start: { issue: '9', phases: 'few' },
    settings: { roles: { executor: 'sample', reviewer: 'sample' } },
    pullRequests,
  });
  expect(opened.map(({ draft, isNew }) => [draft, isNew])).toEqual([
    ['unfinished', true],
    ['unfinished', false],
    [undefined, false],
  ]);
  const [plan = '', half = '', whole = ''] = opened.map(({ body }) => body);
  expect(plan).toMatch(
    /- \[ \] #1: Issue 1\n- \[ \] #2: Issue 2\n[\s\S]*Documents on this branch:\n- thoughts\/\S+\.md/,
  );
  expect(half).toContain('- [x] #1: Issue 1\n- [ ] #2: Issue 2\n');
  // An early merge by a person closes no issue that is not done.
  for (const text of [plan, half]) expect(text).not.toMatch(/Closes/);
  expect(whole).toMatch(/Closes #1\nCloses #2\n$/);
  const drafted = session.all('pr.drafted');
  expect(drafted.map(({ done }) => done)).toEqual([[], ['1']]);
  const first = session.find('task.started', ({ task }) => task.startsWith('implement'));
  expect(drafted[0]?.seq).toBeLessThan(first?.seq ?? 0);
});

test('what a person writes over the draft stays', async () => {
  const { opened, pullRequests } = place(true);
  await played({ issues: pair, start: { issue: '9' }, pullRequests });
  expect(opened.map(({ body }) => body !== '')).toEqual([true, false, false]);
});

test('without a plan there is nothing to show before the first work, and where there are no drafts nothing unfinished is shown', async () => {
  const late = place();
  await played({
    issues: { 1: 'state: in-progress', 2: 'state: in-progress\nblockedBy: ["1"]' },
    start: { issue: '2' },
    pullRequests: late.pullRequests,
  });
  expect(late.opened.map(({ draft, body }) => [draft, body.includes('- [x] #1')])).toEqual([
    ['unfinished', true],
    ['unchecked', false],
  ]);

  const none = place();
  const session = await played({
    issues: pair,
    start: { issue: '9' },
    pullRequests: {
      ...none.pullRequests,
      open: async (wanted) =>
        wanted.draft === 'unfinished'
          ? { ok: false, faults: [{ code: 'no-drafts', what: 'there are no drafts' }] }
          : none.pullRequests.open(wanted),
    },
  });
  expect(none.opened).toHaveLength(1);
  expect(session.all('pr.drafted')).toHaveLength(1);
});

test('what a member says about the draft comes back as work once it is ready', async () => {
  const { pullRequests } = place();
  const open: PullRequestLook = { state: 'open', checks: 'passed', head: 'a1', feedback: '' };
  const session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    start: { draft: true },
    flags: { watch: true },
    settings: { flow: { ...defaultSettings.flow, poll: 1_000 } },
    pullRequests: {
      ...pullRequests,
      look: async (_url, answered) => ({
        ok: true,
        value: answered?.has('kim/1')
          ? { ...open, state: 'merged' }
          : { ...open, comments: { ids: ['kim/1'], words: 'kim: in two lines, please' } },
      }),
    },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await session.settle(engine)).toMatchObject({ exitCode: 0 });
  expect(session.all('pr.sent-back').map(({ feedback }) => feedback)).toEqual(['kim: in two lines, please']);
});
