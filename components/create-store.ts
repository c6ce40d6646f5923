import type { Cancel, Clock } from '../src/base/clock.ts';
import type { Event } from '../src/pipeline/event.ts';
import type { SessionState } from '../src/pipeline/state.ts';
import { createAttemptHistory } from './details/attempt-history.ts';
import { emptyLogView } from './draw/log-view.ts';
import { noIssuesYet } from './issues/issues-view.ts';
import { seeRejections } from './mailbox/select-signals.ts';
import { createOutputLogs } from './output/output-logs.ts';
import type { Preferences } from './ports/preferences.ts';
import { keepEvents, reduceEvent } from './reduce.ts';
import { reduceUi } from './reduce-ui.ts';
import { createOutputRates } from './timeline/output-rates.ts';
import { createTimeline } from './timeline/timeline.ts';
import type { UiAction } from './ui-action.ts';
import type { Connection, ViewState } from './view.ts';

/** The view state and its listeners. Live runs, `attach` and `replay` all feed `dispatch`. Keys feed `act`. */
export interface Store {
  readonly getState: () => ViewState;
  /** Applies one event. Notifies at once when the last notification is 100 ms old, otherwise as soon as it is. */
  readonly dispatch: (event: Event) => void;
  /** Applies a whole journal with a single notification. */
  readonly load: (events: readonly Event[]) => void;
  /** Forgets every event, for a replay that seeks back. The person's choices on the screen stay. */
  readonly rewind: () => void;
  /** Applies a key's action and notifies listeners at once, even during a stream. */
  readonly act: (action: UiAction) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

interface StoreOptions {
  readonly clock: Clock;
  readonly evolve: Evolve;
  readonly connection: Connection;
  /** This program is about to host the session, until `connected` says that it does. */
  readonly opening?: boolean;
  /** The plan of a session that has not begun. */
  readonly planned?: SessionState | null;
  /** Whether the engine survives this screen (attached, or a background host). Decides what `q` offers. */
  readonly canLeaveRunning?: boolean;
  /** The directory the program was started in. */
  readonly cwd?: string;
  /** The person's own preferences. They take precedence over the session's settings. */
  readonly preferences?: Preferences;
}

/** The pipeline's fold, `src/pipeline/evolve.ts`. */
type Evolve = (state: SessionState | null, event: Event) => SessionState;

/** Streams repaint at 10 Hz: frames are the cost, lines are not (components/README.md, Ink 8). */
const notifyEveryMs = 100;
const noticeMs = 4_000;

export const createStore = (options: StoreOptions): Store => {
  const { clock, evolve } = options;
  const begun = initialView(options.connection, options.canLeaveRunning ?? options.connection !== 'live');
  let state: ViewState = {
    ...begun,
    opening: options.opening === true,
    planned: options.planned ?? null,
    preferences: options.preferences ?? null,
    ui: { ...begun.ui, cwd: options.cwd ?? null },
  };
  let notifiedAt = Number.NEGATIVE_INFINITY;
  let timer: Cancel | null = null;
  let fading: Cancel | null = null;
  const listeners = new Set<() => void>();

  const notify = (): void => {
    timer?.();
    timer = null;
    notifiedAt = clock.monotonic();
    for (const listener of listeners) listener();
  };
  const notifySoon = (): void => {
    if (timer !== null) return;
    const wait = notifiedAt + notifyEveryMs - clock.monotonic();
    if (wait <= 0) notify();
    else timer = clock.after(wait, notify);
  };

  // A notice fades: the signal's own row soon shows its progress, and the keys return to their line.
  const fadeNotice = (): void => {
    fading?.();
    fading = null;
    if (state.notice === null || state.notice.stays) return;
    fading = clock.after(noticeMs, () => {
      state = { ...state, notice: null };
      fading = null;
      notify();
    });
  };

  return {
    getState: () => state,
    dispatch: (event) => {
      state = keepEvents(reduceEvent(state, event, evolve), [event]);
      notifySoon();
    },
    load: (events) => {
      const { notice } = state;
      for (const event of events) state = reduceEvent(state, event, evolve);
      // Notices for past events are out of date.
      state = seeRejections({ ...keepEvents(state, events), notice });
      notify();
    },
    rewind: () => {
      const { ui, replay, connection, preferences } = state;
      state = { ...initialView(connection, ui.canLeaveRunning), ui, replay, preferences };
    },
    act: (action) => {
      state = reduceUi(state, action);
      if (action.type === 'noticed') fadeNotice();
      notify();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
};

/** The view before the first event. */
export const initialView = (connection: Connection, canLeaveRunning: boolean): ViewState => ({
  session: null,
  output: createOutputLogs(),
  outputVersion: 0,
  attempts: createAttemptHistory(),
  timeline: createTimeline(),
  rates: createOutputRates(),
  events: [],
  connection,
  opening: false,
  planned: null,
  replay:
    connection === 'replay' ? { speed: 1, paused: false, played: 0, total: 0, at: 0, wanted: null } : null,
  notice: null,
  preferences: null,
  ui: {
    focus: 'tasks',
    tab: 'output',
    selected: { tasks: null, inbox: null, processed: null },
    tops: { tasks: null, inbox: null, processed: null },
    followed: null,
    log: emptyLogView,
    tasks: { filter: '', neighbours: false, as: null, folded: null, anchor: null, find: '', row: null },
    scope: 'task',
    rejectionsSeen: 0,
    columns: null,
    readings: {},
    overlays: [],
    held: null,
    drafts: {},
    history: [],
    zoom: false,
    left: null,
    third: 'details',
    span: null,
    size: { columns: 80, rows: 24 },
    previews: {},
    reports: {},
    changes: {},
    issues: noIssuesYet,
    documents: {},
    canLeaveRunning,
    resumable: false,
    lostAt: null,
    feedbackFor: null,
    feedbackNeedsAgent: false,
    cwd: null,
    alsoHosted: [],
    discovered: '',
  },
});
