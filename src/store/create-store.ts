import type { Cancel, Clock } from '../base/clock.ts';
import type { Event } from '../pipeline/event.ts';
import type { SessionState } from '../pipeline/state.ts';
import { createAttemptBook } from './attempt-book.ts';
import { emptyLogView } from './log-view.ts';
import { createOutputBook } from './output-book.ts';
import type { Preferences } from './preferences.ts';
import { keepEvents, reduceEvent } from './reduce.ts';
import { reduceUi } from './reduce-ui.ts';
import type { UiAction } from './ui-action.ts';
import type { Connection, ViewState } from './view.ts';

/** View state and who wants to know of it. Live runs, `attach` and `replay` all feed `dispatch`; keys feed `act`. */
export interface Store {
  readonly getState: () => ViewState;
  /** Takes one event in. Listeners hear of it at once when the last news is 100 ms old, else when it is. */
  readonly dispatch: (event: Event) => void;
  /** Takes a whole journal in with a single notification. */
  readonly load: (events: readonly Event[]) => void;
  /** Forgets every event, as a replay that goes back must; what a person chose on the screen stays. */
  readonly rewind: () => void;
  /** Takes a key's doing in; listeners hear of it at once, whatever streams. */
  readonly act: (action: UiAction) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export interface StoreOptions {
  readonly clock: Clock;
  readonly evolve: Evolve;
  readonly connection: Connection;
  /** Whether the engine lives on when this screen goes (attached, or a background host): decides what `q` offers. */
  readonly canLeaveRunning?: boolean;
  /** Of the person at this screen, before those of the session's settings. */
  readonly preferences?: Preferences;
}

/** The pipeline's fold, `src/pipeline/evolve.ts`. */
export type Evolve = (state: SessionState | null, event: Event) => SessionState;

/** Streams repaint at 10 Hz: frames are the cost, lines are not (toolchain.md, "Ink 8, measured"). */
const notifyEveryMs = 100;
const noticeMs = 4_000;

export const createStore = (options: StoreOptions): Store => {
  const { clock, evolve } = options;
  const begun = initialView(options.connection, options.canLeaveRunning ?? options.connection !== 'live');
  let state: ViewState = { ...begun, preferences: options.preferences ?? null };
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

  // What was sent is soon shown by the signal's own life; the keys come back to their place.
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
      // What was worth a sentence when it happened is past by now.
      state = { ...keepEvents(state, events), notice };
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

/** What is shown before the first event. */
export const initialView = (connection: Connection, canLeaveRunning: boolean): ViewState => ({
  session: null,
  output: createOutputBook(),
  outputVersion: 0,
  attempts: createAttemptBook(),
  events: [],
  connection,
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
    tasks: { filter: '', neighbours: false },
    scope: 'task',
    detailsTop: 0,
    eventsAt: null,
    eventsOpen: false,
    eventsTop: null,
    eventsFilter: '',
    overlays: [],
    drafts: {},
    history: [],
    zoom: false,
    size: { columns: 80, rows: 24 },
    previews: {},
    reports: {},
    changes: {},
    canLeaveRunning,
    resumable: false,
    feedbackFor: null,
    alsoHosted: [],
  },
});
