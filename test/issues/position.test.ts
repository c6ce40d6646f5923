import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupOf } from '../../src/issues/group.ts';
import type { Issue } from '../../src/issues/issue.ts';
import { indexIssues } from '../../src/issues/issue-index.ts';
import { type Position, type PositionOptions, positionOf } from '../../src/issues/position/position.ts';
import { suggestRoster } from '../../src/issues/position/roster.ts';
import { type IssueState, issueStateSchema } from '../../src/issues/state.ts';
import { anyIssues, issue } from '../helpers/issues.ts';
import { performed } from '../helpers/perform-phase.ts';
import { draws } from '../helpers/test-form.ts';

const auto: PositionOptions = { review: 'auto', autoMerge: true, planned: new Set(), me: null, streams: 1 };
const me = { machine: 'laptop', workspace: '/w', session: '260215-101500' };

const at = (
  issues: readonly Issue[],
  options: Partial<PositionOptions> = {},
  seed = issues[0]?.id ?? '',
): Position => {
  const index = indexIssues(issues);
  return positionOf(index, groupOf(index, seed), { ...auto, ...options });
};

describe('the phase of an issue', () => {
  it.each([
    ['Backlog', {}, 'TRIAGE'],
    ['Research Needed', {}, 'RESEARCH'],
    ['Research in Progress', {}, 'RESEARCH'],
    ['Ready for Plan', {}, 'PLAN'],
    ['Plan in Progress', {}, 'PLAN'],
    ['Plan in Progress', { planned: new Set(['1']) }, 'REVIEW'],
    ['Plan in Review', { review: 'human' }, 'HUMAN_GATE'],
    ['Plan in Review', { review: 'auto' }, 'REVIEW'],
    ['Plan in Review', { review: 'skip' }, 'IMPLEMENT'],
    ['In Progress', {}, 'IMPLEMENT'],
    ['In Review', { autoMerge: true }, 'INTEGRATE'],
    ['In Review', { autoMerge: false }, 'TERMINAL'],
    ['Done', {}, 'TERMINAL'],
    ['Canceled', {}, 'TERMINAL'],
    ['Human Needed', {}, 'TERMINAL'],
  ] satisfies [IssueState, Partial<PositionOptions>, string][])(
    'in %s with %j is %s',
    (state, options, phase) => {
      expect(at([issue('1', { state })], options).phase).toBe(phase);
    },
  );

  it('of an oversized one in Backlog is SPLIT, until it has children', () => {
    expect(at([issue('1', { estimate: 'M' })]).phase).toBe('SPLIT');
    expect(at([issue('1', { estimate: 'S' })]).phase).toBe('TRIAGE');
    expect(
      at([issue('1', { estimate: 'M' }), issue('2', { parent: '1', state: 'Ready for Plan' })]).phase,
    ).toBe('PLAN');
  });
});

describe('a group', () => {
  it('is in its earliest actionable phase, and names who is behind', () => {
    const group = at([
      issue('9', { state: 'Ready for Plan' }),
      issue('10', { state: 'Research Needed', blockedBy: ['9'] }),
    ]);
    expect(group).toMatchObject({
      phase: 'RESEARCH',
      reason: '10 needs research',
      remaining_phases: ['RESEARCH', 'PLAN', 'REVIEW', 'IMPLEMENT', 'INTEGRATE'],
      convergence: { met: false, blocking: ['10'] },
      recommendation: 'proceed',
      group: { primary: '9', order: ['9', '10'] },
      suggested_roster: { analyst: 1, builder: 1, validator: 1, integrator: 1 },
    });
  });

  it('is not held up by issues that are over, and lists those that need a person beside the other work', () => {
    const mixed = [
      issue('1', { state: 'In Progress' }),
      issue('2', { state: 'Human Needed', parent: '4' }),
      issue('3', { state: 'Done', parent: '4' }),
      issue('4', { state: 'Backlog', blockedBy: ['1'] }),
    ];
    expect(at(mixed)).toMatchObject({
      phase: 'IMPLEMENT',
      recommendation: 'proceed',
      escalations: [{ issue: '2', reason: 'in Human Needed' }],
    });
    expect(at([issue('1', { state: 'Human Needed' })])).toMatchObject({
      phase: 'TERMINAL',
      recommendation: 'escalate',
      escalations: [{ issue: '1' }],
      suggested_roster: { analyst: 0, builder: 0, validator: 0, integrator: 0 },
    });
    expect(at([issue('1', { state: 'Done' })])).toMatchObject({
      phase: 'TERMINAL',
      recommendation: 'proceed',
      remaining_phases: [],
      reason: 'no issue needs work',
    });
  });

  it('without an issue is in TRIAGE and asks for a person', () => {
    expect(at([], {}, '7')).toMatchObject({ phase: 'TRIAGE', recommendation: 'escalate', group: null });
  });

  it('waits for a person at the gate only when nothing else can be done', () => {
    const gated = issue('1', { state: 'Plan in Review' });
    expect(at([gated], { review: 'human' })).toMatchObject({ phase: 'HUMAN_GATE', recommendation: 'wait' });
    const beside = issue('2', { state: 'Research Needed', blockedBy: ['1'] });
    expect(at([gated, beside], { review: 'human' })).toMatchObject({
      phase: 'RESEARCH',
      recommendation: 'proceed',
    });
    const behind = issue('2', { state: 'In Progress', blockedBy: ['1'] });
    expect(at([gated, behind], { review: 'human' })).toMatchObject({
      phase: 'HUMAN_GATE',
      recommendation: 'wait',
    });
  });

  it('waits for another session and for a blocker outside, but asks a person about an unknown blocker and a cycle', () => {
    const locked = issue('1', { state: 'In Progress', lock: { holder: me, since: 'ten' } });
    expect(at([locked])).toMatchObject({ recommendation: 'wait', phase: 'IMPLEMENT' });
    expect(at([locked], { me })).toMatchObject({ recommendation: 'proceed' });
    const index = indexIssues([issue('1', { blockedBy: ['2'] }), issue('2', { state: 'In Progress' })]);
    expect(positionOf(index, groupOf(index, '1', true), auto)).toMatchObject({
      recommendation: 'wait',
      reason: '1: blocked by 2 (In Progress), outside the group',
    });
    expect(at([issue('1', { blockedBy: ['gone'] })])).toMatchObject({
      recommendation: 'escalate',
      escalations: [{ issue: '1', reason: 'blocked by gone, which does not exist' }],
    });
    const cycle = [issue('1', { blockedBy: ['2'] }), issue('2', { blockedBy: ['1'] })];
    expect(at(cycle)).toMatchObject({
      recommendation: 'escalate',
      escalations: [{ issue: '1', reason: 'in a cycle: 1 → 2' + ' → 1' }, { issue: '2' }],
    });
    expect(at([...cycle, issue('3', { blockedBy: ['2'] })])).toMatchObject({
      phase: 'TRIAGE',
      reason: '3 needs triage',
      recommendation: 'proceed',
    });
  });
});

it('the roster grows with what is unknown and with the streams', () => {
  const of = (unknown: number, streams: number) =>
    suggestRoster([...Array.from({ length: unknown }, () => 'RESEARCH' as const), 'IMPLEMENT'], streams);
  expect([0, 1, 2, 3, 5, 6, 20].map((n) => of(n, 1).analyst)).toEqual([0, 1, 1, 2, 2, 3, 3]);
  expect([0, 1, 3, 9].map((n) => of(1, n).builder)).toEqual([1, 1, 3, 3]);
  expect(of(1, 1)).toMatchObject({ validator: 1, integrator: 1 });
});

/** Performs the suggested phase until nothing is left to do, a person being there for the gates. */
const run = (
  issues: readonly Issue[],
  options: PositionOptions,
  seed: string,
): { steps: number; last: Position } => {
  let now = issues;
  let planned: ReadonlySet<string> = new Set();
  for (let steps = 0; ; steps += 1) {
    const last = at(now, { ...options, planned }, seed);
    const isAtGate = last.phase === 'HUMAN_GATE' && last.recommendation === 'wait';
    if (steps > 60 || last.phase === 'TERMINAL' || (last.recommendation !== 'proceed' && !isAtGate))
      return { steps, last };
    ({ issues: now, planned } = performed(now, planned, last));
  }
};

const optionsOf = fc.record({
  review: fc.constantFrom('human' as const, 'auto' as const, 'skip' as const),
  autoMerge: fc.boolean(),
});

it('all triples of states end within 30 steps in every mode, and none waits for nothing', () => {
  const states = issueStateSchema.options;
  for (const one of states)
    for (const two of states)
      for (const three of states)
        for (const [review, autoMerge] of [
          ['human', true],
          ['auto', false],
          ['skip', true],
        ] as const) {
          const issues = [
            issue('1', { state: one }),
            issue('2', { state: two, blockedBy: ['1'] }),
            issue('3', { state: three, blockedBy: ['1'] }),
          ];
          const { steps, last } = run(issues, { ...auto, review, autoMerge }, '1');
          const where = `${one}, ${two}, ${three}: ${last.phase} ${last.recommendation}`;
          expect(steps, where).toBeLessThanOrEqual(30);
          expect(last.recommendation, where).not.toBe('wait');
        }
});

it('whatever the issues and their edges, the order of the input does not matter and performing the phase ends', () => {
  fc.assert(
    fc.property(anyIssues, fc.infiniteStream(fc.nat()), optionsOf, (issues, random, options) => {
      const seed = issues[0]?.id ?? '';
      const shuffled = issues
        .map((each) => ({ each, key: random.next().value }))
        .sort((a, b) => a.key - b.key)
        .map(({ each }) => each);
      expect(at(shuffled, options, seed)).toEqual(at(issues, options, seed));
      const { steps, last } = run(issues, { ...auto, ...options }, seed);
      expect(steps).toBeLessThanOrEqual(60);
      expect(last.recommendation).not.toBe('wait');
    }),
    draws(600),
  );
});

it('a wait always names something that changes without us', () => {
  fc.assert(
    fc.property(anyIssues, optionsOf, (issues, options) => {
      const position = at(issues, options);
      if (position.recommendation !== 'wait') return;
      expect(
        position.issues.some(({ obstacle }) => obstacle?.kind === 'wait' || obstacle?.kind === 'gate'),
      ).toBe(true);
    }),
  );
});
