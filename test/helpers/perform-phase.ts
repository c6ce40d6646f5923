import type { Issue } from '../../src/issues/issue.ts';
import { indexIssues } from '../../src/issues/issue-index.ts';
import type { Phase } from '../../src/issues/position/phase.ts';
import { isOpen, type Position } from '../../src/issues/position/position.ts';
import { pendingRollUps } from '../../src/issues/roll-up.ts';
import { type Intent, stateAfter } from '../../src/issues/transitions.ts';
import { issue } from './issues.ts';

const intents: Readonly<Record<Phase, readonly Intent[]>> = {
  SPLIT: [],
  TRIAGE: ['complete'],
  RESEARCH: ['lock', 'complete'],
  PLAN: ['lock', 'complete'],
  REVIEW: ['complete'],
  HUMAN_GATE: ['complete'],
  IMPLEMENT: ['complete'],
  INTEGRATE: ['complete'],
  TERMINAL: [],
};

/** The issues after workers did what the position suggests, all of them well, and a person approved at the gate. */
export const performed = (
  issues: readonly Issue[],
  planned: ReadonlySet<string>,
  position: Position,
): { readonly issues: readonly Issue[]; readonly planned: ReadonlySet<string> } => {
  const isGate = position.phase === 'HUMAN_GATE';
  const due = new Set(
    position.issues
      .filter((each) => isOpen(each) && each.phase === position.phase)
      .filter(({ obstacle }) => obstacle === null || (isGate && obstacle.kind === 'gate'))
      .map(({ id }) => id),
  );
  const moved = issues.flatMap((each) => {
    if (!due.has(each.id)) return [each];
    if (position.phase === 'SPLIT')
      return [each, issue(`${each.id}.1`, { parent: each.id }), issue(`${each.id}.2`, { parent: each.id })];
    return [intents[position.phase].reduce(after, each)];
  });
  const rollUps = new Map(pendingRollUps(indexIssues(moved)).map((each) => [each.issue.id, each.state]));
  const rolled = moved.map((each) => ({ ...each, state: rollUps.get(each.id) ?? each.state }));
  return { issues: rolled, planned: position.phase === 'PLAN' ? new Set([...planned, ...due]) : planned };
};

const after = (each: Issue, intent: Intent): Issue => {
  const next = stateAfter(each.state, intent);
  return next.ok ? { ...each, state: next.value } : each;
};
