import type { Checked } from '../base/fault.ts';
import { type IssueState, isTerminal } from './state.ts';

/** The states that follow each one (src/issues/README.md, States). A failure and a person's Canceled are no rows of it. */
const following: Readonly<Record<IssueState, readonly IssueState[]>> = {
  Backlog: ['Research Needed', 'Ready for Plan', 'Done', 'Canceled'],
  'Research Needed': ['Research in Progress', 'Ready for Plan', 'Human Needed'],
  'Research in Progress': ['Ready for Plan', 'Human Needed'],
  'Ready for Plan': ['Plan in Progress', 'Human Needed'],
  'Plan in Progress': ['Plan in Review', 'In Progress', 'Human Needed'],
  'Plan in Review': ['In Progress', 'Ready for Plan', 'Human Needed'],
  'In Progress': ['In Review', 'Human Needed'],
  'In Review': ['Done', 'In Progress', 'Human Needed'],
  'Human Needed': ['Backlog', 'Research Needed', 'Ready for Plan', 'In Progress'],
  Done: [],
  Canceled: [],
};

/**
 * What a command wants. The table gives the state, so that no caller names one:
 * `lock` begins the work of a state, `complete` ends it, `skip` leaves research out, `fail` gives the lock back, `reject` sends a plan or a pull
 * request back, `escalate` asks for a person, `close` ends an issue without work, `cancel` drops it.
 */
export type Intent = 'lock' | 'complete' | 'skip' | 'fail' | 'reject' | 'escalate' | 'close' | 'cancel';

const results: Readonly<Record<Intent, Readonly<Partial<Record<IssueState, IssueState>>>>> = {
  lock: {
    'Research Needed': 'Research in Progress',
    'Research in Progress': 'Research in Progress',
    'Ready for Plan': 'Plan in Progress',
    'Plan in Progress': 'Plan in Progress',
    'In Progress': 'In Progress',
  },
  complete: {
    Backlog: 'Research Needed',
    'Research in Progress': 'Ready for Plan',
    'Plan in Progress': 'Plan in Review',
    'Plan in Review': 'In Progress',
    'In Progress': 'In Review',
    'In Review': 'Done',
  },
  skip: { Backlog: 'Ready for Plan', 'Research Needed': 'Ready for Plan' },
  fail: {
    'Research in Progress': 'Research Needed',
    'Plan in Progress': 'Ready for Plan',
    'In Progress': 'In Progress',
  },
  reject: { 'Plan in Review': 'Ready for Plan', 'In Review': 'In Progress' },
  escalate: {
    'Research Needed': 'Human Needed',
    'Research in Progress': 'Human Needed',
    'Ready for Plan': 'Human Needed',
    'Plan in Progress': 'Human Needed',
    'Plan in Review': 'Human Needed',
    'In Progress': 'Human Needed',
    'In Review': 'Human Needed',
  },
  close: { Backlog: 'Done', 'In Review': 'Done' },
  cancel: { Backlog: 'Canceled' },
};

/** The state that an intent of the engine leads to, or the fault `issue-intent`. */
export const stateAfter = (state: IssueState, intent: Intent): Checked<IssueState> => {
  const next = results[intent][state];
  if (next !== undefined) return { ok: true, value: next };
  const from = Object.keys(results[intent]).join(', ');
  const what = `${intent} is not possible from ${state}`;
  return { ok: false, faults: [{ code: 'issue-intent', what, hint: `it is possible from ${from}` }] };
};

/**
 * Whether a person (`issues move`) or the engine may move an issue between two states, or the fault `issue-move`. Only a person leaves Human Needed,
 * takes work back that stopped, and cancels whatever is not done. A move to the same state changes nothing and is allowed.
 */
export const checkMove = (from: IssueState, to: IssueState, by: 'person' | 'engine'): Checked<IssueState> => {
  const allowed = by === 'engine' && from === 'Human Needed' ? [] : allowedFor(from, by);
  if (from === to || allowed.includes(to)) return { ok: true, value: to };
  const what = `an issue cannot move from ${from} to ${to}`;
  const hint =
    allowed.length > 0
      ? `it can move to ${allowed.join(', ')}`
      : from === 'Human Needed'
        ? 'only a person can move it'
        : 'it is closed';
  return { ok: false, faults: [{ code: 'issue-move', what, hint }] };
};

const allowedFor = (from: IssueState, by: 'person' | 'engine'): readonly IssueState[] =>
  by === 'person' && !isTerminal(from) && from !== 'Backlog'
    ? [...following[from], ...takenBack(from), 'Canceled']
    : following[from];

/** Where a person takes an issue back to whose work stopped without a word. */
const takenBack = (from: IssueState): readonly IssueState[] => {
  const back = results.fail[from];
  return back === undefined || back === from ? [] : [back];
};
