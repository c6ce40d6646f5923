import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { indexIssues, readyIssues } from '../../src/issues/issue-index.ts';
import { createBeadsTracker } from '../../src/issues/trackers/beads.ts';
import { withOverlay } from '../../src/issues/trackers/overlay.ts';
import { scriptedBd } from '../helpers/scripted-bd.ts';
import { scriptedPorts } from '../helpers/scripted-programs.ts';
import { conforms } from './tracker-conformance.ts';

const open = () => {
  const bd = scriptedBd();
  const ports = scriptedPorts({ bd: bd.run });
  return { bd, ports, tracker: withOverlay(createBeadsTracker(ports), ports) };
};

conforms('beads', { empty: () => open().tracker, keeps: { parents: true, labels: true } });

describe('beads', () => {
  it('maps its statuses, and an edge to a purged issue blocks nothing', async () => {
    const { tracker, bd } = open();
    const statuses = [
      'open',
      'in_progress',
      'hooked',
      'blocked',
      'deferred',
      'pinned',
      'closed',
      'tombstone',
    ];
    for (const title of statuses) await tracker.create({ title });
    for (const [at, bead] of bd.beads.entries()) bead.status = statuses[at] ?? '';
    bd.beads[0]?.dependencies.push({ issue_id: 'bd-a1', depends_on_id: 'bd-gone', type: 'blocks' });
    bd.beads[0]?.dependencies.push({ issue_id: 'bd-a1', depends_on_id: 'bd-a8', type: 'blocks' });
    const reading = await tracker.list();
    if (!reading.ok) throw new Error('not read');
    expect(reading.issues.map(({ state, held, lock }) => [state, held ?? null, lock !== undefined])).toEqual([
      ['Backlog', null, false],
      ['In Progress', null, true],
      ['In Progress', null, true],
      ['Backlog', 'blocked', false],
      ['Backlog', 'deferred', false],
      ['Backlog', 'pinned', false],
      ['Done', null, false],
      ['Canceled', null, false],
    ]);
    expect(readyIssues(indexIssues(reading.issues)).map(({ id }) => id)).toEqual(['bd-a1']);
  });

  it('claims for us in one step, and refuses what a colleague has claimed', async () => {
    const { tracker, bd } = open();
    await tracker.create({ title: 'one' });
    const lock = { holder: { machine: 'm', workspace: '/w', session: 's' }, since: 'now' };
    await tracker.update('bd-a1', { state: 'Research in Progress', lock }, null);
    expect(bd.beads[0]).toMatchObject({
      status: 'in_progress',
      assignee: 'ana',
      labels: ['state:research-in-progress'],
    });
    expect(await tracker.show('bd-a1')).toMatchObject({ value: { state: 'Research in Progress', lock } });
    await tracker.update('bd-a1', { state: 'Ready for Plan', lock: null }, null);
    expect(bd.beads[0]).toMatchObject({ status: 'open', labels: ['state:ready-for-plan'] });
    expect(bd.beads[0]?.assignee).toBeUndefined();
    const bead = bd.beads[0];
    if (bead) bead.status = 'in_progress';
    await tracker.update('bd-a1', { state: 'Human Needed' }, null);
    expect(await tracker.show('bd-a1')).toMatchObject({ value: { state: 'Human Needed' } });
    await tracker.update('bd-a1', { state: 'Ready for Plan' }, null);
    if (bead) bead.assignee = 'bob';
    expect(await tracker.update('bd-a1', { state: 'Plan in Progress', lock }, null)).toMatchObject({
      ok: false,
      faults: [{ code: 'issue-locked' }],
    });
    expect(await tracker.show('bd-a1')).toMatchObject({ value: { state: 'Ready for Plan' } });
  });

  it('without bd reads its export and changes nothing', async () => {
    const ports = scriptedPorts({});
    mkdirSync(join(ports.workspace, '.beads'));
    const lines = [
      '{"id":"bd-1","title":"one","status":"open","priority":1,"issue_type":"task"}',
      '{"id":"bd-2","title":"half',
      '{"id":"bd-3","title":"an older line","status":"open"}',
      '{"id":"bd-3","title":"three","status":"open","dependencies":[{"issue_id":"bd-3","depends_on_id":"bd-1","type":"blocks"}]}',
    ];
    writeFileSync(join(ports.workspace, '.beads/issues.jsonl'), lines.join('\n'));
    const tracker = withOverlay(createBeadsTracker(ports), ports);
    expect(await tracker.list()).toMatchObject({
      ok: true,
      issues: [{ id: 'bd-1' }, { id: 'bd-3', blockedBy: ['bd-1'] }],
      problems: [
        { what: expect.stringContaining('cannot be changed') },
        { where: expect.stringMatching(/issues\.jsonl:2$/) },
      ],
    });
    expect(await tracker.show('bd-3')).toMatchObject({ ok: true, value: { title: 'three' } });
    for (const answer of [
      await tracker.update('bd-1', { state: 'Done' }, null),
      await tracker.create({ title: 'x' }),
      await tracker.comment('bd-1', 'x'),
    ])
      expect(answer).toMatchObject({ ok: false, faults: [{ what: 'bd cannot be started' }] });
    truncateSync(join(ports.workspace, '.beads/issues.jsonl'), 17 * 1024 * 1024);
    expect(await tracker.list()).toMatchObject({ ok: false, error: { code: 'too-large' } });
  });

  it('that has no workspace or answers nonsense is one sentence', async () => {
    const { tracker, bd } = open();
    bd.failures.push(
      { code: 1, error: 'Error: no active beads workspace found' },
      { out: 'null' },
      { out: '[{' },
    );
    expect(await tracker.list()).toMatchObject({
      ok: false,
      error: { what: 'there is no beads workspace here' },
    });
    expect(await tracker.list()).toMatchObject({ ok: true, issues: [] });
    expect(await tracker.list()).toMatchObject({ ok: false, error: { code: 'tracker-answer' } });
  });

  it.each([
    ['Error: dolt: executable file not found in PATH', ''],
    ['Error: database beads not found; run bd doctor', ''],
    ['', '{"error": "no issues database at .beads: it was not found"}'],
  ])('that fails with %j %j says so in its own words, of a list and of one issue', async (error, out) => {
    const { tracker, bd } = open();
    const said = error || 'no issues database at .beads: it was not found';
    bd.failures.push({ code: 1, error, out }, { code: 1, error, out });
    const fault = { code: 'tracker-failed', what: `bd failed: ${said}` };
    expect(await tracker.list()).toMatchObject({ ok: false, error: fault });
    expect(await tracker.show('bd-1')).toMatchObject({ ok: false, faults: [fault] });
  });

  it('that answers in an envelope is read, and text is no half JSON', async () => {
    const { tracker, bd } = open();
    bd.failures.push(
      {
        out: '{"schema_version":1,"data":[{"id":"bd-1","title":"one","description":null,"priority":"high"},{"id":"bd-2"}]}',
      },
      { out: '○ x-1 ● P2 One' },
    );
    expect(await tracker.list()).toMatchObject({
      ok: true,
      issues: [{ id: 'bd-1', priority: 1 }],
      problems: [{ code: 'issue-line', what: expect.stringContaining('issue bd-2 cannot be read (title: ') }],
    });
    expect(await tracker.list()).toMatchObject({
      ok: false,
      error: {
        what: 'bd did not answer with JSON but with "○ x-1 ● P2 One"',
        hint: expect.stringContaining('update bd'),
      },
    });
  });
});
