import type { Event, EventOf, EventType } from './event.ts';
import type { Handlers } from './evolve/handler.ts';
import { holdAndGates } from './evolve/hold-and-gates.ts';
import { invocations } from './evolve/invocations.ts';
import type { Owned } from './evolve/maps.ts';
import { planning } from './evolve/planning.ts';
import { session } from './evolve/session.ts';
import { signals } from './evolve/signals.ts';
import { tasks } from './evolve/tasks.ts';
import { initialState } from './initial.ts';
import type { SessionState } from './state.ts';

/**
 * The state after one more event: the total fold over every event type, pure. The engine, `attach`, replay and the screen all use this
 * one, so that the same events give the same state everywhere. `null` is the state before the first event. An event that
 * does not fit the state (a late decision, an unknown task) changes nothing but `seq` and `at`.
 */
export const evolve = (state: SessionState | null, event: Event): SessionState =>
  step(state ?? initialState(), event, new WeakSet());

/** The state after many events, the same as folding `evolve`, without copying the maps for each of them: replay and resume. */
export const evolveAll = (state: SessionState | null, events: Iterable<Event>): SessionState => {
  const own: Owned = new WeakSet();
  let folded = state ?? initialState();
  for (const event of events) folded = step(folded, event, own);
  return folded;
};

const handlers: Handlers = {
  ...session,
  ...planning,
  ...tasks,
  ...invocations,
  ...signals,
  ...holdAndGates,
};

type EventMap = { readonly [T in EventType]: EventOf<T> };

const handle = <T extends EventType>(type: T, state: SessionState, event: EventMap[T], own: Owned) =>
  handlers[type](state, event, own);

const step = (state: SessionState, event: Event, own: Owned): SessionState => ({
  ...state,
  ...handle(event.type, state, event, own),
  seq: event.seq,
  at: event.at,
});
