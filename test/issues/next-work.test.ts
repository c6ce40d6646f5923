import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexIssues, openBlockers } from '../../src/issues/issue-index.ts';
import { type IssueSession, nextWork, type WorkFacts } from '../../src/issues/next-work.ts';
import { isTerminal } from '../../src/issues/state.ts';
import { anyIssues, issue } from '../helpers/issues.ts';

const facts = (more: Partial<WorkFacts>): WorkFacts => ({
  index: indexIssues([]),
  sessions: [],
  taken: new Set(),
  labels: [],
  max: 3,
  tried: new Map(),
  ...more,
});

const session = (id: string, standing: IssueSession['standing'], ours = true): IssueSession => ({
  issue: id,
  standing,
  ours,
});

test('stopped work is continued first, then what is ready by priority and age, as far as there is room', () => {
  const index = indexIssues([
    issue('1'),
    issue('2', { priority: 1 }),
    issue('3', { state: 'In Progress' }),
    issue('4', { blockedBy: ['1'] }),
    issue('5', { lock: { holder: null, since: '' }, state: 'In Progress' }),
    issue('6', { state: 'Plan in Review' }),
    issue('7', { state: 'Human Needed' }),
    issue('10'),
  ]);
  const sessions = [session('3', 'stopped'), session('7', 'stopped')];
  expect(nextWork(facts({ index, sessions, max: 9 })).start).toEqual(['3', '2', '1', '10']);
  expect(nextWork(facts({ index, sessions, max: 2 })).start).toEqual(['3', '2']);
  const tried = new Map([['2', '1']]);
  expect(nextWork(facts({ index, sessions, max: 2, tried })).start).toEqual(['3', '1']);
  const after = indexIssues([issue('1', { state: 'Done' }), issue('2', { blockedBy: ['1'] }), issue('3')]);
  expect(nextWork(facts({ index: after })).start).toEqual(['2', '3']);
  expect(nextWork(facts({ index: after, behind: true })).start).toEqual(['3']);
});

test('a session that waits for a person makes room, until four times as many wait', () => {
  const index = indexIssues(Array.from({ length: 12 }, (_, at) => issue(String(at + 1))));
  const parked = (count: number) =>
    Array.from({ length: count }, (_, at) => session(String(at + 1), 'waits'));
  expect(nextWork(facts({ index, sessions: parked(3), max: 2 })).start).toHaveLength(2);
  expect(nextWork(facts({ index, sessions: parked(9), max: 2 })).start).toHaveLength(1);
  expect(nextWork(facts({ index, sessions: parked(10), max: 2 })).start).toEqual([]);
});

test('only wanted issues are taken up, children with their parent, and our session of one that lost its label stops', () => {
  const index = indexIssues([
    issue('1', { labels: ['ready'] }),
    issue('2'),
    issue('3', { labels: ['ready'], state: 'Ready for Plan' }),
    issue('4', { parent: '1' }),
    issue('5', { state: 'Done' }),
  ]);
  const sessions = [session('2', 'working'), session('5', 'working')];
  const step = nextWork(facts({ index, sessions, labels: ['ready', 'now'], max: 9 }));
  expect(step).toEqual({ start: ['3', '4'], stop: ['2'] });
  const foreign = nextWork(facts({ index, sessions: [session('2', 'working', false)], labels: ['ready'] }));
  expect(foreign.stop).toEqual([]);
});

test('whatever the issues and sessions are: nothing blocked, held, over or taken begins, nothing twice, and never more than may', () => {
  const standings = fc.constantFrom('working', 'waits', 'stopped' as const);
  fc.assert(
    fc.property(
      anyIssues,
      fc.array(standings, { maxLength: 5 }),
      fc.integer({ min: 1, max: 4 }),
      (issues, some, max) => {
        const index = indexIssues(issues);
        const sessions = some.flatMap((standing, at) => {
          const id = issues[at]?.id;
          return id === undefined ? [] : [session(id, standing)];
        });
        const taken = new Set(
          sessions.flatMap(({ issue: id, standing }) => (standing === 'stopped' ? [] : [id])),
        );
        const { start } = nextWork(facts({ index, sessions, taken, max }));
        expect(new Set(start).size).toBe(start.length);
        const working = sessions.filter(({ standing }) => standing === 'working').length;
        expect(start.length).toBeLessThanOrEqual(Math.max(0, max - working));
        for (const id of start) {
          const each = index.byId.get(id);
          const isStopped = sessions.some(({ issue: of, standing }) => of === id && standing === 'stopped');
          expect(each !== undefined && !isTerminal(each.state) && each.state !== 'Human Needed').toBe(true);
          expect(taken.has(id)).toBe(false);
          if (!isStopped) expect(each && openBlockers(index, each)).toEqual([]);
        }
        // Taking up what it says leaves nothing to do twice.
        const next = [
          ...sessions.filter(({ issue: id }) => !start.includes(id)),
          ...start.map((id) => session(id, 'working')),
        ];
        const again = nextWork(facts({ index, sessions: next, taken: new Set([...taken, ...start]), max }));
        expect(again.start.filter((id) => start.includes(id))).toEqual([]);
      },
    ),
  );
});
