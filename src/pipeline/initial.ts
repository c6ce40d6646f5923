import { noGuidance } from '../session/guidance/guidance.ts';
import { defaultSettings } from '../session/settings.ts';
import type { PlanItem } from '../session/status.ts';
import { noChanges } from './changes/changes-state.ts';
import { nothingEarlier, nothingEnded } from './scheduling/task-times.ts';
import type { PlanItemState, SessionState } from './state.ts';

/** The state before the first event. A journal whose first line is missing starts from it too. */
export const initialState = (): SessionState => ({
  session: '',
  workspace: '',
  goal: '',
  created: '',
  settings: defaultSettings,
  startFlags: {},
  attended: false,
  cores: 1,
  iteration: 1,
  mode: 'waves',
  state: 'INITIALIZING',
  previous: null,
  wave: null,
  batch: [],
  startedHere: 0,
  status: 'in_progress',
  stopReason: null,
  running: false,
  host: null,
  hold: null,
  abort: null,
  drain: null,
  gate: null,
  decision: null,
  planApproved: false,
  planItems: openItems(firstPlan),
  cycle: 1,
  newQuestions: 0,
  tasks: new Map(),
  invocations: new Map(),
  invocationsStarted: 0,
  attemptsTotal: 0,
  earlier: nothingEarlier,
  ended: nothingEnded,
  spending: new Map(),
  standing: [],
  planWords: [],
  guidance: noGuidance,
  signals: new Map(),
  questions: new Map(),
  permissions: new Map(),
  remembered: new Map(),
  runners: new Map(),
  knowledge: { staged: [], carried: [], promoted: [] },
  review: null,
  feedback: [],
  lookingForFeedback: false,
  reopened: false,
  openedAgain: false,
  problems: [],
  snapshots: new Map(),
  retries: new Map(),
  noResults: new Map(),
  lostWords: new Map(),
  quotaUntil: null,
  usedUp: new Map(),
  timeUp: false,
  limit: null,
  resumeMessages: [],
  loop: null,
  flow: null,
  changes: noChanges,
  seq: 0,
  at: '',
  spentMs: 0,
  startedAt: '',
  waitedMs: 0,
  waitingSince: null,
});

/** Plan items of iteration 1, in order (src/session/README.md, progress.md). */
export const firstPlan: readonly PlanItem[] = [
  'plan-init',
  'plan-brainstorm',
  'plan-research',
  'plan-breakdown',
];

/** Plan items of every later iteration. */
export const laterPlan: readonly PlanItem[] = [
  'plan-rebrainstorm',
  'plan-reresearch',
  'plan-update',
  'plan-rebreakdown',
];

/** The given plan items and the two for knowledge, all open. */
export const openItems = (items: readonly PlanItem[]): ReadonlyMap<PlanItem, PlanItemState> =>
  new Map(
    [...items, 'plan-knowledge-extraction' as const, 'plan-knowledge-approval' as const].map((item) => [
      item,
      { mark: 'open', note: null },
    ]),
  );
