import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byIssueId, estimateNamed, isOversized } from '../../src/issues/issue.ts';
import { deadLocks, takeLock } from '../../src/issues/lock.ts';
import { rollUp } from '../../src/issues/roll-up.ts';
import { type IssueState, issueStateSchema, stateNamed, stateSlug } from '../../src/issues/state.ts';
import { checkMove, type Intent, stateAfter } from '../../src/issues/transitions.ts';
import { issue } from '../helpers/issues.ts';

const states = issueStateSchema.options;
const me = { machine: 'laptop', workspace: '/w', session: '260215-101500' };
const other = { ...me, session: '260215-101501' };

describe('the table of states', () => {
  it.each([
    ['Backlog', ['Research Needed', 'Ready for Plan', 'Done', 'Canceled']],
    ['Research Needed', ['Research in Progress', 'Ready for Plan', 'Human Needed']],
    ['Research in Progress', ['Ready for Plan', 'Human Needed']],
    ['Ready for Plan', ['Plan in Progress', 'Human Needed']],
    ['Plan in Progress', ['Plan in Review', 'In Progress', 'Human Needed']],
    ['Plan in Review', ['Ready for Plan', 'In Progress', 'Human Needed']],
    ['In Progress', ['In Review', 'Human Needed']],
    ['In Review', ['In Progress', 'Done', 'Human Needed']],
    ['Human Needed', []],
    ['Done', []],
    ['Canceled', []],
  ] satisfies [IssueState, IssueState[]][])('lets the engine move on from %s', (from, to) => {
    expect(states.filter((next) => next !== from && checkMove(from, next, 'engine').ok)).toEqual(
      states.filter((next) => to.some((allowed) => allowed === next)),
    );
  });

  it('lets only a person leave Human Needed and cancel what is not done', () => {
    expect(states.filter((next) => checkMove('Human Needed', next, 'person').ok)).toEqual([
      'Backlog',
      'Research Needed',
      'Ready for Plan',
      'In Progress',
      'Human Needed',
      'Canceled',
    ]);
    for (const from of states) expect(checkMove(from, 'Canceled', 'person').ok, from).toBe(from !== 'Done');
    expect(checkMove('Done', 'Backlog', 'person')).toEqual({
      ok: false,
      faults: [
        { code: 'issue-move', what: 'an issue cannot move from Done to Backlog', hint: 'it is closed' },
      ],
    });
  });

  it('gives the state of each intent, and each one is a row of the table or a failure', () => {
    const intents: readonly Intent[] = [
      'lock',
      'complete',
      'skip',
      'fail',
      'reject',
      'escalate',
      'close',
      'cancel',
    ];
    const led = intents.flatMap((intent) =>
      states.flatMap((from) => {
        const next = stateAfter(from, intent);
        return next.ok ? [{ intent, from, to: next.value }] : [];
      }),
    );
    expect(led.filter(({ intent }) => intent === 'fail').map(({ from, to }) => [from, to])).toEqual([
      ['Research in Progress', 'Research Needed'],
      ['Plan in Progress', 'Ready for Plan'],
      ['In Progress', 'In Progress'],
    ]);
    for (const { intent, from, to } of led)
      if (intent !== 'fail') expect(checkMove(from, to, 'engine').ok, `${intent} from ${from}`).toBe(true);
  });

  it('reads the names of states however they are written', () => {
    for (const state of states)
      for (const name of [state, state.toUpperCase(), stateSlug(state), state.replaceAll(' ', '_')])
        expect(stateNamed(name)).toBe(state);
    expect(stateNamed('Cancelled')).toBe('Canceled');
    expect(stateNamed('almost done')).toBeNull();
  });
});

describe('locks', () => {
  it('are refused to a second holder, and idempotent for their own', () => {
    const free = issue('1', { state: 'Research Needed' });
    const first = takeLock(free, me, '2026-02-15T10:15:00Z');
    expect(first).toEqual({
      ok: true,
      value: { state: 'Research in Progress', lock: { holder: me, since: '2026-02-15T10:15:00Z' } },
    });
    const held = issue('1', first.ok ? first.value : {});
    expect(takeLock(held, me, '2026-02-15T11:00:00Z')).toEqual(first);
    expect(takeLock(held, other, '2026-02-15T11:00:00Z')).toMatchObject({
      ok: false,
      faults: [
        {
          code: 'issue-locked',
          what: 'issue 1 is locked by 260215-101500 on laptop since 2026-02-15T10:15:00Z',
        },
      ],
    });
    expect(takeLock(issue('2', { state: 'Done' }), me, '').ok).toBe(false);
    const unnamed = issue('3', { state: 'In Progress', lock: { holder: null, since: '' } });
    expect(takeLock(unnamed, me, '')).toMatchObject({
      ok: false,
      faults: [{ what: 'issue 3 is locked by a session on another machine' }],
    });
  });

  it('of a dead holder return with the state of a failure, those of other machines stay', () => {
    const locked = (id: string, state: IssueState, holder: typeof me | null) =>
      issue(id, { state, lock: { holder, since: '' } });
    const issues = [
      locked('1', 'Research in Progress', me),
      locked('2', 'Plan in Progress', other),
      locked('3', 'In Progress', me),
      locked('4', 'In Progress', null),
      issue('5', { state: 'In Progress' }),
    ];
    const dead = deadLocks(issues, (holder) => (holder.session === me.session ? 'dead' : 'remote'));
    expect(dead.map((lock) => [lock.issue.id, lock.state])).toEqual([
      ['1', 'Research Needed'],
      ['3', 'In Progress'],
    ]);
  });
});

it('a parent rolls up when all of its children are there, and never moves back', () => {
  const rolled = (parent: IssueState, ...children: IssueState[]) =>
    rollUp(
      { state: parent },
      children.map((state) => ({ state })),
    );
  expect(rolled('Backlog', 'Ready for Plan', 'In Progress')).toBe('Ready for Plan');
  expect(rolled('In Progress', 'In Review', 'Done')).toBe('In Review');
  expect(rolled('In Progress', 'Done', 'Canceled')).toBe('Done');
  expect(rolled('In Review', 'Ready for Plan', 'Done')).toBeNull();
  expect(rolled('Backlog', 'Backlog', 'Done')).toBeNull();
  expect(rolled('Backlog', 'Canceled')).toBeNull();
  expect(rolled('Human Needed', 'Done')).toBeNull();
  expect(rolled('Backlog', 'Human Needed', 'Done')).toBeNull();
});

it('estimates are read in any case, and only M, L and XL are oversized', () => {
  expect(['xs', 'S', ' m ', 'L', 'xl', 'huge', ''].map(estimateNamed)).toEqual([
    'XS',
    'S',
    'M',
    'L',
    'XL',
    null,
    null,
  ]);
  expect(
    [null, 'XS', 'S', 'M', 'L', 'XL'].map((size) => isOversized({ estimate: estimateNamed(size ?? '') })),
  ).toEqual([false, false, false, true, true, true]);
});

it('ids are in natural order, whatever they are made of', () => {
  expect(['10', '9', 'bd-2.10', 'bd-2.9', 'LAN-7', '007'].sort(byIssueId)).toEqual([
    '007',
    '9',
    '10',
    'LAN-7',
    'bd-2.9',
    'bd-2.10',
  ]);
  const id = fc.stringMatching(/^[a-b0-2.-]{0,6}$/);
  fc.assert(
    fc.property(id, id, id, (a, b, c) => {
      expect(Math.sign(byIssueId(a, b))).toBe(-Math.sign(byIssueId(b, a)) + 0);
      expect(byIssueId(a, b) === 0).toBe(a === b);
      if (byIssueId(a, b) <= 0 && byIssueId(b, c) <= 0) expect(byIssueId(a, c)).toBeLessThanOrEqual(0);
    }),
    { numRuns: 500 },
  );
});

it('a refused move says whether a person could make it, or nobody', () => {
  expect(checkMove('Human Needed', 'In Progress', 'engine')).toMatchObject({
    faults: [{ hint: 'only a person can move it' }],
  });
  expect(checkMove('Done', 'In Progress', 'engine')).toMatchObject({ faults: [{ hint: 'it is closed' }] });
});
