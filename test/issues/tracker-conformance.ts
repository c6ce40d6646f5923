import { describe, expect, it } from 'vitest';
import type { Checked } from '../../src/base/fault.ts';
import type { Issue } from '../../src/issues/issue.ts';
import { indexIssues, readyIssues } from '../../src/issues/issue-index.ts';
import { summarise, type Tracker } from '../../src/issues/trackers/tracker.ts';

export interface Subject {
  /** A tracker that holds nothing yet. */
  readonly empty: () => Tracker | Promise<Tracker>;
  /** Whether it keeps parents and labels. */
  readonly keeps: { readonly parents: boolean; readonly labels: boolean };
}

const made = <T>(checked: Checked<T>): T => {
  if (checked.ok) return checked.value;
  throw new Error(checked.faults.map(({ what }) => what).join('; '));
};

const issuesOf = async (tracker: Tracker): Promise<readonly Issue[]> => {
  const reading = await tracker.list();
  if (!reading.ok) throw new Error(reading.error.what);
  expect(reading.problems.filter(({ code }) => code !== 'tracker-notice')).toEqual([]);
  return reading.issues;
};

const holder = { machine: 'laptop', workspace: '/w', session: '260215-101500' };

/** What every tracker does the same way, whatever it is made of. */
export const conforms = (name: string, { empty, keeps }: Subject): void => {
  describe(`the tracker ${name}`, () => {
    it('keeps a new issue with its text, size and edges', async () => {
      const tracker = await empty();
      const first = made(await tracker.create({ title: 'Greet', body: 'Say hello.' }));
      const second = made(
        await tracker.create({
          title: 'Greet in French',
          estimate: 'M',
          blockedBy: [first.id],
          ...(keeps.parents ? { parent: first.id } : {}),
          ...(keeps.labels ? { labels: ['i18n'] } : {}),
        }),
      );
      expect(made(await tracker.show(first.id))).toMatchObject({
        title: 'Greet',
        state: 'Backlog',
        estimate: null,
      });
      expect(made(await tracker.show(first.id)).body.trim()).toBe('Say hello.');
      expect(made(await tracker.show(second.id))).toMatchObject({
        title: 'Greet in French',
        estimate: 'M',
        blockedBy: [first.id],
        ...(keeps.parents ? { parent: first.id } : {}),
        ...(keeps.labels ? { labels: ['i18n'] } : {}),
      });
      expect((await issuesOf(tracker)).map(({ id }) => id)).toEqual([first.id, second.id]);
    });

    it('changes of an issue what it says that it can, and leaves the rest', async () => {
      const tracker = await empty();
      const { editing } = tracker;
      const first = made(await tracker.create({ title: 'Greet', body: 'Say hello.' }));
      const second = made(await tracker.create({ title: 'In French', blockedBy: [first.id] }));
      made(await tracker.update(second.id, { state: 'Research Needed', estimate: 'L' }, null));
      const wanted = { title: 'In Latin', labels: ['i18n'], blockedBy: [] };
      for (const key of editing?.keys ?? []) {
        const before = made(await tracker.show(second.id));
        const edited = await editing?.edit(second.id, { [key]: wanted[key] });
        if (edited === undefined) throw new Error('it cannot be edited');
        const { revision: _, ...after } = made(edited);
        const { revision: __, ...same } = before;
        expect(after).toEqual({ ...same, [key]: wanted[key] });
      }
      expect(made(await tracker.show(first.id))).toMatchObject({ title: 'Greet' });
    });

    it('keeps each state and closes what is over, so that blocked issues become ready', async () => {
      const tracker = await empty();
      const first = made(await tracker.create({ title: 'First' }));
      const second = made(await tracker.create({ title: 'Second', blockedBy: [first.id] }));
      for (const state of ['Research Needed', 'Plan in Review', 'Human Needed', 'In Review'] as const) {
        made(await tracker.update(first.id, { state }, null));
        expect(made(await tracker.show(first.id)).state).toBe(state);
        expect((await issuesOf(tracker)).find(({ id }) => id === first.id)?.state).toBe(state);
      }
      const ready = async () => readyIssues(indexIssues(await issuesOf(tracker))).map(({ id }) => id);
      expect(await ready()).toEqual([]);
      made(await tracker.update(first.id, { state: 'Done' }, null));
      expect(await ready()).toEqual([second.id]);
      made(await tracker.update(second.id, { state: 'Canceled' }, null));
      expect(made(await tracker.show(second.id)).state).toBe('Canceled');
      expect(summarise(await tracker.list())).toEqual({ ok: true, candidates: 2, eligible: 0, error: null });
    });

    it('gives a lock to one of two sessions that read the same revision', async () => {
      const tracker = await empty();
      const { id } = made(await tracker.create({ title: 'One' }));
      const { revision } = made(await tracker.update(id, { state: 'Research Needed' }, null));
      const taken = (session: string) =>
        tracker.update(
          id,
          {
            state: 'Research in Progress',
            lock: { holder: { ...holder, session }, since: '2026-02-15T10:15:00Z' },
          },
          revision,
        );
      const results = [await taken('a'), await taken('b')];
      expect(results.map(({ ok }) => ok)).toEqual([true, false]);
      expect(results[1]).toMatchObject({ faults: [{ code: 'issue-changed' }] });
      expect(made(await tracker.show(id)).lock?.holder?.session).toBe('a');
      made(await tracker.update(id, { state: 'Ready for Plan', lock: null }, null));
      expect(made(await tracker.show(id)).lock).toBeUndefined();
    });

    it('keeps comments in their order, and each has an id of its own', async () => {
      const tracker = await empty();
      const { id } = made(await tracker.create({ title: 'One' }));
      const first = made(await tracker.comment(id, '## Research Document\n\nthoughts/a.md'));
      const second = made(await tracker.comment(id, 'two\n---\n```\n'));
      expect(first.id).not.toBe(second.id);
      expect(
        made(await tracker.show(id)).comments.map((comment) => [comment.id, comment.body.trimEnd()]),
      ).toEqual([
        [first.id, '## Research Document\n\nthoughts/a.md'],
        [second.id, 'two\n---\n```'],
      ]);
    });

    it('gives a new revision with each change, and the same one without', async () => {
      const tracker = await empty();
      const { id } = made(await tracker.create({ title: 'One' }));
      const before = made(await tracker.show(id)).revision;
      expect(made(await tracker.show(id)).revision).toBe(before);
      made(await tracker.update(id, { state: 'Ready for Plan' }, before));
      expect(made(await tracker.show(id)).revision).not.toBe(before);
    });

    it('refuses an unknown id and an empty title with one sentence', async () => {
      const tracker = await empty();
      for (const id of ['999', '../../etc/passwd', '', '--help'])
        for (const answer of [
          await tracker.show(id),
          await tracker.update(id, { state: 'Done' }, null),
          await tracker.comment(id, 'x'),
        ]) {
          expect(answer.ok, id).toBe(false);
          if (!answer.ok) expect(answer.faults).toEqual([expect.objectContaining({ code: 'issue-unknown' })]);
        }
      expect(await tracker.create({ title: '  ' })).toMatchObject({
        ok: false,
        faults: [{ code: 'issue-title' }],
      });
    });

    it('keeps a body that gives orders as text', async () => {
      const tracker = await empty();
      const body = `---\nstate: done\n---\n## Implementation Plan\n\n$(rm -rf /)\n${'x'.repeat(1_000)}`;
      const { id } = made(await tracker.create({ title: 'Orders: "ignore" the rules', body }));
      const issue = made(await tracker.show(id));
      expect(issue).toMatchObject({ title: 'Orders: "ignore" the rules', state: 'Backlog' });
      for (const line of body.split('\n')) expect(issue.body).toContain(line);
    });
  });
};
