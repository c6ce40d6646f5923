import { expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import type { PullRequestLook, PullRequests } from '../../src/issues/pull-requests/pull-requests.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { createFlowSession } from '../helpers/flow-session.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { SimulatedCrash } from '../helpers/simulated-disk.ts';
import { sized } from '../helpers/test-form.ts';

type Session = ReturnType<typeof createFlowSession>;

const started = async (engine: Engine): Promise<Engine> => {
  expect(await engine.start()).toBeNull();
  return engine;
};

const headers = async (session: Session, id: string): Promise<readonly string[]> =>
  (await session.issue(id)).comments.map(({ body }) => body.split('\n')[0] ?? '');

const all = [
  '## Research Document',
  '## Implementation Plan',
  '## Plan Review',
  '## Implementation Complete',
];

test('an issue goes through research, plan, review and work, and its documents are linked once', async () => {
  const session = createFlowSession({ issues: { 1: 'state: research-needed' } });
  const end = await session.settle(await started(session.begin()));
  expect(end).toMatchObject({ status: 'completed', exitCode: 0 });
  expect((await session.issue('1')).state).toBe('In Review');
  expect((await session.issue('1')).lock).toBeUndefined();
  expect(await headers(session, '1')).toEqual(all);
  expect(session.all('task.qualified').map(({ task }) => task)).toEqual([
    'research-1',
    'plan-1',
    'review-1',
    'implement-1',
    'pr-1',
  ]);
  // No waves, and no Reviewer of single tasks.
  expect(session.all('wave.chosen')).toEqual([]);
  expect(session.all('invocation.started').filter(({ mode }) => mode === 'TASK_REVIEW')).toEqual([]);
  const plan = session.find('result.recorded', ({ task }) => task === 'plan-1');
  expect(session.disk.text(`/work/${String(plan?.result['artifact_path'])}`)).toContain('# The plan');
});

test('what an agent works from is the skill of its phase, the issue in a fence, and the documents', async () => {
  const session = createFlowSession({ issues: { 1: 'state: research-needed' } });
  await session.settle(await started(session.begin()));
  const prompt = session.asked.find(({ kind }) => kind === 'flow-plan')?.prompt ?? '';
  expect(prompt).toContain('# A phase');
  expect(prompt).toContain('Plan GH-1.');
  const body = prompt.indexOf('The body of 1.');
  expect(prompt.lastIndexOf('<<<data', body)).toBeGreaterThan(prompt.lastIndexOf('data>>>', body));
  expect(prompt).toContain('# What is');
});

test('the text of a parent reaches the work on its parts, which often leave out what it says', async () => {
  const session = createFlowSession({
    issues: {
      9: 'state: backlog',
      1: 'state: ready-for-plan\nparent: "9"',
      2: 'state: ready-for-plan\nparent: "9"',
    },
    start: { issue: '9' },
  });
  expect(await session.settle(await started(session.begin()))).toMatchObject({ exitCode: 0 });
  const works = session.asked.filter(({ kind }) => kind === 'flow-plan' || kind === 'implement');
  expect(works.map(({ prompt }) => prompt.includes('The body of 9.'))).toEqual(Array(3).fill(true));
});

test('a plan that needs iteration is written again, and after three rejections the issue needs a person', async () => {
  let reviews = 0;
  const session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    answers: ({ kind }) => {
      if (kind !== 'flow-review') return undefined;
      reviews += 1;
      return {
        status: 'completed',
        result: { verdict: 'NEEDS_ITERATION', summary: 'no test' },
        document: '# No\n',
      };
    },
  });
  const end = await session.settle(await started(session.begin()));
  expect(reviews).toBe(3);
  expect(end.exitCode).toBe(1);
  expect((await session.issue('1')).state).toBe('Human Needed');
  expect((await headers(session, '1')).at(-1)).toMatch(/^Human Needed: the plan was rejected 3 times/);
  expect(session.find('task.started', ({ task }) => task === 'implement-1')).toBeUndefined();
});

test('a completion without its keys is none, and a reader that changes files has failed', async () => {
  const withoutKeys = createFlowSession({
    issues: { 1: 'state: research-needed' },
    answers: ({ kind }) => (kind === 'flow-research' ? { status: 'completed', result: {} } : undefined),
  });
  await withoutKeys.settle(await started(withoutKeys.begin()));
  expect(withoutKeys.all('task.submitted')).toEqual([]);
  expect((await withoutKeys.issue('1')).state).toBe('Human Needed');

  const session: Session = createFlowSession({
    issues: { 1: 'state: research-needed' },
    answers: ({ kind }, brief) => {
      if (kind === 'flow-research') session.disk.put(`${brief.workspace}/src/a.ts`, 'by a reader');
      return undefined;
    },
  });
  await session.settle(await started(session.begin()));
  expect(session.find('task.failed')?.reason).toBe(
    'analyst changed src/a.ts: files must not be changed in the research phase',
  );
  expect((await session.issue('1')).state).toBe('Human Needed');
  expect((await session.issue('1')).lock).toBeUndefined();
});

test('without a person the human gate ends with 3, and the answer lets the same session finish', async () => {
  const session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    start: { review: 'human' },
  });
  const end = await session.settle(await started(session.begin()));
  expect(end).toMatchObject({ exitCode: 3, status: 'in_progress' });
  expect((await session.issue('1')).state).toBe('Plan in Review');
  const question = session.find('question.asked');
  expect(question).toMatchObject({ request: 'plan:review-1', kind: 'plan-review' });
  expect(question?.text).toMatch(/^Approve the plan for issue 1 "[^"]+"\? It is in thoughts\//);
  expect(question?.document).toMatch(/^thoughts\/shared\/plans\//);
  session.publish({ type: 'ANSWER', request: 'plan:review-1', option: 'minor', message: 'name it part' });
  expect(await session.settle(await started(session.resume()))).toMatchObject({ exitCode: 0 });
  const work = session.asked.find(({ kind }) => kind === 'implement')?.prompt ?? '';
  expect(work).toContain('name it part');
  expect((await session.issue('1')).state).toBe('In Review');
});

test('major changes write a new plan with the words, and a rejection needs a person', async () => {
  const session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    start: { review: 'human' },
  });
  await session.settle(await started(session.begin()));
  session.publish({ type: 'ANSWER', request: 'plan:review-1', option: 'major', message: 'without a cache' });
  await session.settle(await started(session.resume()));
  const plans = session.asked.filter(({ kind }) => kind === 'flow-plan');
  expect(plans).toHaveLength(2);
  expect(plans[1]?.prompt).toContain('without a cache');
  session.publish({ type: 'ANSWER', request: 'plan:review-1_r2', option: 'reject' });
  expect(await session.settle(await started(session.resume()))).toMatchObject({ exitCode: 1 });
  expect((await session.issue('1')).state).toBe('Human Needed');
});

test('locks of dead sessions are given back first, and an issue of a living one is left alone', async () => {
  const held = `state: plan-in-progress\nlock: {holder: {machine: here, workspace: /other, session: 260101-000000}, since: ''}`;
  const dead = createFlowSession({ issues: { 1: held }, liveness: 'dead' });
  expect(await dead.settle(await started(dead.begin()))).toMatchObject({ exitCode: 0 });
  expect(dead.find('issues.read')?.returned).toEqual([
    { issue: '1', from: 'Plan in Progress', to: 'Ready for Plan' },
  ]);
  const alive = createFlowSession({ issues: { 1: held } });
  await alive.settle(await started(alive.begin()));
  expect(alive.all('task.started')).toEqual([]);
  expect((await alive.issue('1')).state).toBe('Plan in Progress');
});

test('two streams have a plan and a pull request each, and an oversized issue is split first', async () => {
  const session = createFlowSession({
    issues: { 1: 'state: backlog\nestimate: L', 2: 'state: research-needed\nparent: "1"' },
  });
  await session.settle(await started(session.begin()));
  expect((await session.issue('2')).state).toBe('In Review');

  const split = createFlowSession({ issues: { 1: 'state: backlog\nestimate: L' } });
  expect(await split.settle(await started(split.begin()))).toMatchObject({ exitCode: 0 });
  const created = split.find('result.recorded', ({ task }) => task === 'split-1')?.created ?? [];
  expect(created).toHaveLength(2);
  for (const id of created) expect((await split.issue(id)).state).toBe('In Review');
  // The parent follows its parts.
  expect((await split.issue('1')).state).toBe('In Review');
});

test('an answer of the tracker that fails stops the session with its sentence, and the next start finishes', async () => {
  let isDown = true;
  const session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    tracker: (tracker) => ({
      ...tracker,
      comment: async (id, body) =>
        isDown
          ? { ok: false, faults: [{ code: 'tracker-down', what: 'the tracker answered 500' }] }
          : tracker.comment(id, body),
    }),
  });
  expect(await session.settle(await started(session.begin()))).toMatchObject({
    status: 'blocked',
    reason: 'the tracker answered 500',
    exitCode: 1,
  });
  isDown = false;
  expect(await session.settle(await started(session.resume()))).toMatchObject({ exitCode: 0 });
  expect(await headers(session, '1')).toEqual(all.slice(1));
  expect(session.asked.filter(({ kind }) => kind === 'flow-plan')).toHaveLength(1);
});

test('an issue that a person closes in the middle is left out, and its group continues', async () => {
  const session: Session = createFlowSession({
    issues: { 1: 'state: ready-for-plan', 2: 'state: ready-for-plan\nblockedBy: ["1"]' },
    answers: ({ kind }) => {
      if (kind === 'flow-plan') void session.person.update('2', { state: 'Done', lock: null }, null);
      return undefined;
    },
  });
  expect(await session.settle(await started(session.begin()))).toMatchObject({ exitCode: 0 });
  expect((await session.issue('2')).state).toBe('Done');
  expect((await session.issue('1')).state).toBe('In Review');
  expect(session.find('task.cancelled', ({ task }) => task === 'implement-2')?.reason).toBe('2 is Done');
  expect(session.find('task.started', ({ task }) => task === 'implement-2')).toBeUndefined();
  expect((await headers(session, '2')).filter((header) => header === all[3])).toEqual([]);
});

test('an issue that a person moves to Human Needed takes its own tasks off, and the session says so', async () => {
  const session: Session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    answers: ({ kind }) => {
      if (kind === 'flow-review')
        void session.person.update('1', { state: 'Human Needed', lock: null }, null);
      return undefined;
    },
  });
  expect(await session.settle(await started(session.begin()))).toMatchObject({
    exitCode: 1,
    reason: '1 needs a person',
  });
  expect((await session.issue('1')).state).toBe('Human Needed');
  expect(session.find('task.started', ({ task }) => task === 'implement-1')).toBeUndefined();
});

test('a reading that fails in the middle is told, and nothing is taken for closed', async () => {
  let readings = 0;
  const session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    settings: { flow: { ...defaultSettings.flow, poll: 1_000 } },
    tracker: (tracker) => ({
      ...tracker,
      list: async () => {
        readings += 1;
        return readings === 1
          ? tracker.list()
          : { ok: false, error: { code: 'tracker-down', what: 'the tracker answered half a page' } };
      },
    }),
  });
  expect(await session.settle(await started(session.begin()))).toMatchObject({ exitCode: 0 });
  expect(readings).toBeGreaterThan(2);
  expect(session.find('problem.found')?.fault.what).toMatch(
    /cannot be read: the tracker answered half a page/,
  );
  expect(session.all('task.cancelled')).toEqual([]);
});

test('a failed implementation stops its stream and keeps its worktree, and the other stream finishes', async () => {
  const session = createFlowSession({
    issues: {
      1: 'state: backlog',
      2: 'state: research-needed\nparent: "1"',
      3: 'state: research-needed\nparent: "1"',
    },
    settings: { retries: { ...defaultSettings.retries, max_attempts: 1 } },
    answers: ({ kind }, brief) =>
      kind === 'implement' && brief.task?.id.startsWith('implement-3') === true
        ? { status: 'failed', blockers: ['the tests fail'] }
        : undefined,
  });
  expect(await session.settle(await started(session.begin()))).toMatchObject({ exitCode: 1 });
  const states = await Promise.all(['2', '3'].map(async (id) => (await session.issue(id)).state));
  expect(states).toEqual(['In Review', 'Human Needed']);
  expect((await session.issue('3')).lock).toBeUndefined();
  const removed = session.all('worktree.removed').map(({ task }) => task);
  expect(removed).toContain('implement-2_stream');
  expect(removed).not.toContain('implement-3_stream');
});

test('without a review the work follows the plan at once, and several plans may wait for a person together', async () => {
  const quick = createFlowSession({ issues: { 1: 'state: ready-for-plan' }, start: { review: 'skip' } });
  expect(await quick.settle(await started(quick.begin()))).toMatchObject({ exitCode: 0 });
  expect(quick.asked.map(({ kind }) => kind)).toEqual(['flow-plan', 'implement', 'flow-pr']);

  const both = createFlowSession({
    issues: {
      1: 'state: backlog',
      2: 'state: research-needed\nparent: "1"',
      3: 'state: research-needed\nparent: "1"',
    },
    start: { review: 'human' },
  });
  expect(await both.settle(await started(both.begin()))).toMatchObject({ exitCode: 3 });
  expect(both.all('question.asked').map(({ request }) => request)).toEqual([
    'plan:review-2_stream',
    'plan:review-3_stream',
  ]);
});

test('ABORT gives the locks back before the session ends, and CANCEL those of its task', async () => {
  const hanging = () =>
    createFlowSession({
      issues: { 1: 'state: research-needed' },
      answers: ({ kind }) => (kind === 'flow-research' ? new Promise(() => {}) : undefined),
    });
  const aborted = hanging();
  const engine = await started(aborted.begin());
  await aborted.clock.advanceAsync(5_000);
  expect((await aborted.issue('1')).state).toBe('Research in Progress');
  aborted.publish({ type: 'ABORT' });
  expect(await aborted.settle(engine)).toMatchObject({ status: 'aborted', exitCode: 130 });
  expect((await aborted.issue('1')).state).toBe('Research Needed');
  expect((await aborted.issue('1')).lock).toBeUndefined();

  const again = hanging();
  const third = await started(again.begin());
  await again.clock.advanceAsync(5_000);
  again.publish({ type: 'PAUSE' });
  again.publish({ type: 'RETRY', task: 'research-1', message: 'try again' });
  await again.clock.advanceAsync(5_000);
  expect(again.find('task.reset')).toBeDefined();
  again.publish({ type: 'ABORT' });
  await again.settle(third);
  expect((await again.issue('1')).lock).toBeUndefined();

  const cancelled = hanging();
  const other = await started(cancelled.begin());
  await cancelled.clock.advanceAsync(5_000);
  cancelled.publish({ type: 'CANCEL', task: 'research-1' });
  await cancelled.settle(other);
  expect((await cancelled.issue('1')).state).toBe('Research Needed');
  expect((await cancelled.issue('1')).lock).toBeUndefined();
});

test('an implementation that edits issues, agents or skills is not merged, and the file is named', async () => {
  const session: Session = createFlowSession({
    issues: { 1: 'state: in-progress' },
    settings: { retries: { ...defaultSettings.retries, max_attempts: 1 } },
    answers: ({ kind }, brief) => {
      if (kind === 'implement') {
        session.disk.mkdir(`${brief.workspace}/.ralph/issues`);
        session.disk.put(`${brief.workspace}/.ralph/issues/1.md`, 'state: done');
      }
      return undefined;
    },
  });
  expect(await session.settle(await started(session.begin()))).toMatchObject({ exitCode: 1 });
  expect(session.find('task.failed')?.reason).toMatch(/^it changed \.ralph\/issues\/1\.md/);
  expect(session.all('attempt.merged')).toEqual([]);
  expect((await session.issue('1')).state).toBe('Human Needed');
});

test.each([
  ['native', '.ralph/issues/1.md'],
  ['prd', 'prd.json'],
  ['markdown:./docs/todo.md', 'docs/todo.md'],
  ['beads', '.beads/issues.jsonl'],
])(
  'with the tracker %s, the attempt after one that changed %s begins without that change',
  async (tracker, file) => {
    const begun: boolean[] = [];
    const session: Session = createFlowSession({
      issues: { 1: 'state: in-progress' },
      start: { tracker },
      answers: ({ kind }, brief) => {
        if (kind !== 'implement') return undefined;
        const path = `${brief.workspace}/${file}`;
        begun.push(session.disk.lstat(path) !== null);
        session.disk.mkdir(`${path}/..`);
        if (begun.length === 1) session.disk.put(path, 'all done');
        return undefined;
      },
    });
    expect(await session.settle(await started(session.begin()))).toMatchObject({ exitCode: 0 });
    expect(session.find('task.failed')?.reason).toContain(`it changed ${file}: issues`);
    expect(begun).toEqual([false, false]);
    expect(session.all('attempt.merged').flatMap(({ files }) => files)).not.toContain(file);
  },
);

test('an implementation that a person redefines gets a new plan and review first, and research only starts again', async () => {
  let works = 0;
  const session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    answers: ({ kind }) => {
      if (kind !== 'implement') return undefined;
      works += 1;
      return works === 1
        ? { status: 'blocked', blockers: ['redefined'], escalation: 'use a queue' }
        : undefined;
    },
  });
  expect(await session.settle(await started(session.begin()))).toMatchObject({ exitCode: 0 });
  expect(session.asked.map(({ kind }) => kind)).toEqual([
    'flow-plan',
    'flow-review',
    'implement',
    'flow-plan',
    'flow-review',
    'implement',
    'flow-pr',
  ]);
  expect(session.asked[3]?.prompt).toContain('use a queue');
  expect((await session.issue('1')).state).toBe('In Review');

  let searches = 0;
  const research = createFlowSession({
    issues: { 1: 'state: research-needed' },
    answers: ({ kind }) => {
      if (kind !== 'flow-research') return undefined;
      searches += 1;
      return searches === 1
        ? { status: 'blocked', blockers: ['redefined'], escalation: 'look at b' }
        : undefined;
    },
  });
  expect(await research.settle(await started(research.begin()))).toMatchObject({ exitCode: 0 });
  const asked = research.asked.filter(({ kind }) => kind === 'flow-research');
  expect(asked).toHaveLength(2);
  expect(research.asked.filter(({ kind }) => kind === 'flow-plan')).toHaveLength(1);
});

test('a label gives an issue to an agent that the person chose for this session, and to no other', async () => {
  const agentsOf = async (label: string): Promise<readonly (string | undefined)[]> => {
    const session = createFlowSession({
      issues: { 1: `state: ready-for-plan\nlabels: ["agent:${label}"]` },
      settings: { flow: { ...defaultSettings.flow, agents: { review: 'sample' } }, agents: { other: {} } },
    });
    await session.settle(await started(session.begin()));
    return session.find('tasks.defined')?.tasks.map(({ agent }) => agent) ?? [];
  };
  expect(await agentsOf('sample')).toEqual(['sample', 'sample', 'sample', 'sample']);
  for (const label of ['other', 'script', 'nobody'])
    expect(await agentsOf(label)).toEqual([undefined, 'sample', undefined, undefined]);
});

const url = 'https://github.com/acme/greeter/pull/7';

/** Pull requests whose looks are given; the last one stands for all later ones. Each push is a new head: c0ffee, c0ffee2, … */
const pullRequestsWith = (...looks: readonly PullRequestLook[]) => {
  const calls: string[] = [];
  let seen = 0;
  let pushes = 0;
  const pullRequests: PullRequests = {
    open: async ({ branch, title, body }) => {
      calls.push(`open ${branch}: ${title}\n${body}`);
      pushes += 1;
      return { ok: true, value: { url } };
    },
    look: async () => {
      const look = looks[Math.min(seen, looks.length - 1)];
      seen += 1;
      return look === undefined
        ? { ok: false, faults: [{ code: 'tracker-down', what: 'GitHub answered 500' }] }
        : { ok: true, value: pushes < 2 ? look : { ...look, head: `${look.head}${pushes}` } };
    },
    merge: async (which, commit) => {
      calls.push(`merge ${which} ${commit}`);
      return { ok: true, value: null };
    },
  };
  return { calls, pullRequests };
};

const lintFailed: PullRequestLook = {
  state: 'open',
  checks: 'failed',
  head: 'c0ffee',
  feedback: 'The check lint failed.\nno-var',
};
const good: PullRequestLook = { state: 'open', checks: 'passed', head: 'c0ffee', feedback: '' };

test('a failed check sends the pull request back to work as data, and what passes is merged once', async () => {
  const { calls, pullRequests } = pullRequestsWith(
    { ...good, checks: 'pending' },
    // The poll sees the news, and the look after it journals it.
    lintFailed,
    lintFailed,
    good,
  );
  const session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    start: { auto_merge: true },
    settings: { flow: { ...defaultSettings.flow, poll: 1_000 } },
    pullRequests,
  });
  expect(await session.settle(await started(session.begin()))).toMatchObject({ exitCode: 0 });
  expect((await session.issue('1')).state).toBe('Done');
  const opened = calls.filter((call) => call.startsWith('open'));
  expect(opened).toHaveLength(2);
  expect(opened[0]?.split('\n').filter((line) => line.startsWith('Closes'))).toEqual(['Closes #1']);
  expect(calls.filter((call) => call.startsWith('merge'))).toEqual([`merge ${url} c0ffee2`]);
  const works = session.asked.filter(({ kind }) => kind === 'implement');
  expect(works).toHaveLength(2);
  const prompt = works[1]?.prompt ?? '';
  expect(prompt.lastIndexOf('<<<data', prompt.indexOf('no-var'))).toBeGreaterThan(
    prompt.lastIndexOf('data>>>', prompt.indexOf('no-var')),
  );
  // One comment links it, however often it was opened.
  expect((await headers(session, '1')).filter((header) => header === all[3])).toHaveLength(1);
});

test('after flow.feedback_rounds a person is needed, and without leave to merge nobody waits headless', async () => {
  const failing = pullRequestsWith(lintFailed);
  const session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    start: { auto_merge: true },
    settings: { flow: { ...defaultSettings.flow, poll: 1_000, feedback_rounds: 1 } },
    pullRequests: failing.pullRequests,
  });
  expect((await session.settle(await started(session.begin()))).exitCode).toBe(1);
  expect((await session.issue('1')).state).toBe('Human Needed');
  expect(session.asked.filter(({ kind }) => kind === 'implement')).toHaveLength(2);
  expect(failing.calls.filter((call) => call.startsWith('merge'))).toEqual([]);

  const open = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    pullRequests: pullRequestsWith().pullRequests,
  });
  expect(await open.settle(await started(open.begin()))).toMatchObject({ exitCode: 0 });
  expect((await open.issue('1')).state).toBe('In Review');
});

test('with leave to merge, a pull request without any check needs a person', async () => {
  const { calls, pullRequests } = pullRequestsWith(
    { ...good, checks: 'pending' },
    { ...good, checks: 'none' },
  );
  const session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    start: { auto_merge: true },
    settings: { flow: { ...defaultSettings.flow, poll: 1_000 } },
    pullRequests,
  });
  expect((await session.settle(await started(session.begin()))).exitCode).toBe(1);
  const issue = await session.issue('1');
  expect(issue.state).toBe('Human Needed');
  expect(issue.comments.at(-1)?.body).toContain('No checks have reported on it');
  expect(calls.filter((call) => call.startsWith('merge'))).toEqual([]);
});

test('a pull request that a person merged ends its watch, and a look that fails says nothing', async () => {
  const merged = pullRequestsWith({ ...good, state: 'merged' });
  const session = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    attended: true,
    settings: { flow: { ...defaultSettings.flow, poll: 1_000 } },
    pullRequests: merged.pullRequests,
  });
  expect(await session.settle(await started(session.begin()))).toMatchObject({ exitCode: 0 });
  expect((await session.issue('1')).state).toBe('Done');

  const down = createFlowSession({
    issues: { 1: 'state: ready-for-plan' },
    attended: true,
    settings: { flow: { ...defaultSettings.flow, poll: 1_000 } },
    pullRequests: pullRequestsWith().pullRequests,
  });
  const engine = await started(down.begin());
  await down.clock.advanceAsync(60_000);
  expect(engine.state().running).toBe(true);
  expect(down.find('problem.found')?.fault.what).toMatch(/cannot be read: GitHub answered 500/);
  expect((await down.issue('1')).state).toBe('In Review');
});

/** Runs to the end, or to the crash. */
const run = async (session: Session, kind: 'begin' | 'resume') => {
  try {
    const engine = session[kind]();
    const fault = await Promise.race([engine.start(), session.clock.advanceAsync(2_000).then(() => null)]);
    if (session.disk.crashed()) return null;
    if (fault) return { fault };
    return { end: await session.settle(engine) };
  } catch (error) {
    if (error instanceof SimulatedCrash) return null;
    throw error;
  }
};

test('stopped at any write and resumed, every task is done once and nothing stands in the tracker twice', async () => {
  const issues = { 1: 'state: research-needed' };
  const whole = createFlowSession({ issues });
  const before = whole.disk.operations();
  await whole.settle(await started(whole.begin()));
  const total = whole.disk.operations() - before;
  const random = createSeededRandom(11);
  let crashes = 0;
  const step = sized({ short: 40, long: 5 });
  for (let at = 1 + random.int(5); at < total; at += step + random.int(9)) {
    const session = createFlowSession({ issues });
    session.disk.crashAfter(at, { torn: random.chance(0.5) });
    let result = await run(session, 'begin');
    for (let again = 0; result === null && again < 5; again += 1) {
      crashes += 1;
      session.kill();
      if (session.disk.lstat(session.paths.journal) === null) break;
      if (again < 2) session.disk.crashAfter(1 + random.int(80));
      result = await run(session, 'resume');
    }
    if (result === null || 'fault' in result) continue;
    const where = `stopped at operation ${at} of ${total}`;
    expect(result.end, where).toMatchObject({ status: 'completed', exitCode: 0 });
    const issue = await session.issue('1');
    expect([issue.state, issue.lock], where).toEqual(['In Review', undefined]);
    expect(await headers(session, '1'), where).toEqual(all);
    // In the journal: an observer hears a fact again that a crash took before it was written.
    const done = readJournal(session.disk, session.paths.journal).events.flatMap((event) =>
      event.type === 'task.qualified' ? [event.task] : [],
    );
    expect([...new Set(done)], where).toEqual(done);
    expect(done.length, where).toBe(5);
    expect(
      session.disk.tree('/work/thoughts').filter((path) => path.includes('~')),
      where,
    ).toEqual([]);
  }
  expect(crashes).toBeGreaterThan(sized({ short: 6, long: 40 }));
});
