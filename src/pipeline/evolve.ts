import type { Event, EventOf, EventType } from './event.ts';
import { agents } from './evolve/agents.ts';
import { changes } from './evolve/changes.ts';
import { commands } from './evolve/commands.ts';
import { flow } from './evolve/flow.ts';
import { holdAndGates } from './evolve/hold-and-gates.ts';
import { invocations } from './evolve/invocations.ts';
import { loop } from './evolve/loop.ts';
import { orders } from './evolve/orders.ts';
import { planning } from './evolve/planning.ts';
import { runners } from './evolve/runners.ts';
import { session } from './evolve/session.ts';
import { signals } from './evolve/signals.ts';
import { tasks } from './evolve/tasks.ts';
import { team } from './evolve/team.ts';
import { countStanding, countWaiting } from './evolve/waiting.ts';
import type { Handlers } from './handler.ts';
import { initialState } from './initial.ts';
import { createOwned, type Owned } from './maps.ts';
import { withJoining } from './scheduling/batch.ts';
import type { SessionState } from './state.ts';

/**
 * The state after one more event: a pure fold, total over every event type. The engine, `attach`, replay and the
 * screen all use it, so the same events give the same state everywhere. `null` is the state before the first event.
 * An event that does not fit the state (a late decision, an unknown task) changes nothing but `seq` and `at`.
 */
export const evolve = (state: SessionState | null, event: Event): SessionState =>
  step(state ?? initialState(), event, createOwned('one'));

/** The state after many events, for replay and resume. Equal to folding `evolve`, without copying the maps for each event. */
export const evolveAll = (state: SessionState | null, events: Iterable<Event>): SessionState => {
  const fold = createFold(state);
  fold.add(events);
  return fold.state();
};

/** A fold that takes its events in pieces, for journals that are too large for memory. */
interface Fold {
  readonly add: (events: Iterable<Event>) => void;
  /** Ends the fold: its maps change in place, so no events may be added afterwards. */
  readonly state: () => SessionState;
}

export const createFold = (begin: SessionState | null = null): Fold => {
  const own = createOwned('many');
  let folded = begin ?? initialState();
  return {
    add: (events) => {
      for (const event of events) folded = step(folded, event, own);
    },
    state: () => folded,
  };
};

const handlers: Handlers = {
  ...session,
  ...planning,
  ...loop,
  ...flow,
  ...team,
  ...tasks,
  ...orders,
  ...changes,
  ...invocations,
  ...commands,
  ...agents,
  ...runners,
  ...signals,
  ...holdAndGates,
};

/** The types that this program knows: the fold is total over them. */
export const knownTypes: ReadonlySet<unknown> = new Set(Object.keys(handlers));

type EventMap = { readonly [T in EventType]: EventOf<T> };

const handle = <T extends EventType>(type: T, state: SessionState, event: EventMap[T], own: Owned) =>
  handlers[type](state, event, own);

const step = (state: SessionState, event: Event, own: Owned): SessionState =>
  countWaiting(
    state,
    countStanding(
      withJoining(
        { ...state, ...handle(event.type, state, event, own), seq: event.seq, at: event.at },
        event,
      ),
      own,
    ),
    event,
  );
