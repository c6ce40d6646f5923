import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/hash.io.ts';
import { countComments } from '../../src/issues/documents/counting-comments.ts';
import { groupOf } from '../../src/issues/group.ts';
import { indexIssues } from '../../src/issues/issue-index.ts';
import { positionOf } from '../../src/issues/position/position.ts';
import { edgesInBody, withEdges } from '../../src/issues/trackers/body-edges.ts';
import { createGhTracker } from '../../src/issues/trackers/gh.ts';
import { withOverlay } from '../../src/issues/trackers/overlay.ts';
import { summarise } from '../../src/issues/trackers/tracker.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { scriptedGh } from '../helpers/scripted-gh.ts';
import { scriptedPorts } from '../helpers/scripted-programs.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { conforms } from './tracker-conformance.ts';

const open = (version?: string) => {
  const gh = scriptedGh(version);
  const ports = scriptedPorts({ gh: gh.run });
  return { gh, ports, tracker: withOverlay(createGhTracker(ports), ports) };
};

conforms('gh with edges', { empty: () => open().tracker, keeps: { parents: true, labels: true } });
conforms('gh without edges', { empty: () => open('2.40.1').tracker, keeps: { parents: true, labels: true } });

describe('gh', () => {
  it('of an old version gets its edges from the text, and says so', async () => {
    const { tracker, gh } = open('2.93.0');
    await tracker.create({ title: 'one' });
    await tracker.create({ title: 'two', body: 'Text.', parent: '1', blockedBy: ['1'] });
    expect(gh.issues[1]?.body).toBe('Text.\n\nParent: #1\nBlocked by: #1\n');
    const reading = await tracker.list();
    expect(reading).toMatchObject({
      ok: true,
      issues: [{ id: '1' }, { id: '2', parent: '1', blockedBy: ['1'] }],
      problems: [{ code: 'tracker-notice', hint: 'update gh to 2.94' }],
    });
  });

  it('is asked twice for a move, and for its labels until they are known', async () => {
    const gh = scriptedGh();
    const clock = createManualClock();
    const ports = { ...scriptedPorts({ gh: gh.run }), clock };
    const tracker = withOverlay(createGhTracker(ports), ports);
    await tracker.create({ title: 'one' });
    await tracker.update('1', { state: 'Plan in Review' }, null);
    await tracker.update('1', { state: 'In Progress' }, null);
    const before = ports.calls.length;
    const callsOf = () => ports.calls.slice(before).map((call) => call.split(' ').slice(1, 3).join(' '));
    await clock.advanceAsync(60_000);
    gh.issues[0]?.labels.push('bug');
    const shown = await tracker.show('1');
    expect(shown).toMatchObject({ value: { labels: ['bug'] } });
    await tracker.update('1', { state: 'Plan in Review' }, shown.ok ? shown.value.revision : null);
    expect(callsOf()).toEqual(['issue view', 'issue edit']);
    expect(await tracker.list()).toMatchObject({ issues: [{ state: 'Plan in Review' }] });
    gh.issues[0]?.labels.push('state:human-needed');
    expect(await tracker.show('1')).toMatchObject({ value: { state: 'Human Needed' } });
  });

  it('keeps other labels, and leaves an issue with an unknown state label to a person', async () => {
    const { tracker, gh } = open();
    await tracker.create({ title: 'one', labels: ['bug'] });
    await tracker.update('1', { state: 'Plan in Review', estimate: 'L' }, null);
    expect(gh.issues[0]?.labels).toEqual(['bug', 'state:plan-in-review', 'estimate:l']);
    await tracker.update('1', { state: 'In Progress' }, null);
    expect(gh.issues[0]?.labels).toEqual(['bug', 'estimate:l', 'state:in-progress']);
    gh.issues[0]?.labels.push('state:nearly-done');
    expect(await tracker.list()).toMatchObject({
      issues: [{ state: 'Human Needed', labels: ['bug'] }],
      problems: [{ what: expect.stringContaining('unknown state label (state:nearly-done)') }],
    });
  });

  it('leaves an issue alone that a colleague put into a locked state, but not one that we moved there', async () => {
    const { tracker, gh, ports } = open();
    await tracker.create({ title: 'one' });
    await tracker.create({ title: 'two' });
    await tracker.update('1', { state: 'In Progress' }, null);
    gh.issues[1]?.labels.push('state:in-progress');
    const issuesOf = async (seenBy = tracker) => {
      const reading = await seenBy.list();
      return reading.ok ? reading.issues : [];
    };
    const locks = async (seenBy = tracker) => (await issuesOf(seenBy)).map(({ lock }) => lock ?? null);
    expect(await locks()).toEqual([null, { holder: null, since: '' }]);
    const elsewhere = { ...ports, workspace: tempDir() };
    expect(await locks(withOverlay(createGhTracker(elsewhere), elsewhere))).toEqual([
      { holder: null, since: '' },
      { holder: null, since: '' },
    ]);
    const index = indexIssues(await issuesOf());
    const options = {
      review: 'auto',
      autoMerge: true,
      planned: new Set<string>(),
      me: null,
      streams: 1,
    } as const;
    expect(positionOf(index, groupOf(index, '2'), options)).toMatchObject({
      recommendation: 'wait',
      reason: '2: locked by a session on another machine',
    });
    await tracker.update('2', { state: 'Ready for Plan', lock: null }, null);
    expect(await locks()).toEqual([null, null]);
  });

  it('asks for its version once, and never passes on an id that is not a number', async () => {
    const { tracker, ports } = open();
    await tracker.create({ title: '--web' });
    for (const id of ['--web', 'acme/other#1', 'https://github.com/a/b/issues/1', '1; ls', '01'])
      expect((await tracker.show(id)).ok).toBe(false);
    await tracker.list();
    expect(ports.calls.filter((call) => call === 'gh --version')).toHaveLength(1);
    expect(ports.calls.filter((call) => call.startsWith('gh issue view'))).toEqual([
      expect.stringMatching(/^gh issue view 1 --json /),
    ]);
  });

  it('lets comments of strangers and edited ones not count', async () => {
    const { tracker, gh } = open();
    await tracker.create({ title: 'one' });
    for (const authorAssociation of ['MEMBER', 'CONTRIBUTOR', 'NONE', 'OWNER'])
      gh.issues[0]?.comments.push({
        url: `u#${authorAssociation}`,
        author: 'x',
        authorAssociation,
        body: '## Implementation Plan\n\nevil.md',
        includesCreatedEdit: authorAssociation === 'OWNER',
      });
    const shown = await tracker.show('1');
    if (!shown.ok) throw new Error('not shown');
    const { counting, ignored } = countComments(shown.value.comments, new Map(), sha256);
    expect(counting.map(({ id }) => id)).toEqual(['u#MEMBER']);
    expect(ignored).toHaveLength(3);
  });

  it.each([
    [{ code: 4, error: 'To get started with GitHub CLI, please run:  gh auth login' }, 'gh is not logged in'],
    [
      { code: 1, error: 'HTTP 403: API rate limit exceeded for user ID 1.' },
      "GitHub's rate limit is exceeded",
    ],
    [{ code: 1, error: 'HTTP 502: Bad Gateway (https://api.github.com/graphql)' }, 'GitHub answered 502'],
    [
      { code: 1, error: 'error connecting to api.github.com\ncheck your internet connection' },
      'gh failed: error connecting to api.github.com',
    ],
    [{ out: '[{"number": 1, "title": "ha' }, 'gh answered with incomplete JSON'],
    [{ out: '[{"number": "one"}]' }, 'gh answered in an unknown format'],
  ])('that answers %j is one sentence, and says nothing about any issue', async (answer, sentence) => {
    const { tracker, gh } = open();
    await tracker.create({ title: 'one' });
    gh.failures.push(answer);
    const reading = await tracker.list();
    expect(reading.ok).toBe(false);
    expect(summarise(reading)).toMatchObject({ ok: false, candidates: null, eligible: null });
    expect(summarise(reading).error).toContain(sentence);
    expect(summarise(await tracker.list())).toMatchObject({ ok: true, candidates: 1 });
  });

  it('that is not installed says what to do', async () => {
    const ports = scriptedPorts({});
    expect(await createGhTracker(ports).list()).toEqual({
      ok: false,
      error: {
        code: 'tracker-missing',
        what: 'gh cannot be started',
        hint: 'install the GitHub CLI, or set flow.tracker',
      },
    });
  });
});

it('edges in a text count only as lines of their own', () => {
  expect(edgesInBody('Blocked by: #1, #2\n- **Depends on** #3\nparent: #9\nParent: #10')).toEqual({
    blockedBy: ['1', '2', '3'],
    parent: '9',
  });
  expect(edgesInBody('> Blocked by: #1\n```\nBlocked by: #2\n```\nIt is blocked by #3.')).toEqual({
    blockedBy: [],
  });
  const edges = { parent: '7', blockedBy: ['1', '2'] };
  expect(edgesInBody(withEdges('Text.', edges))).toEqual(edges);
});
