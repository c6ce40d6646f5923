import type { Effect } from './effect.ts';
import { effectsOfChanges } from './effects/changes.ts';
import { effectsOfFlow } from './effects/flow.ts';
import { effectsOfInvocations } from './effects/invocations.ts';
import { effectsOfLoop } from './effects/loop.ts';
import { effectsOfSession } from './effects/session.ts';
import type { Ask, Asks } from './effects/table.ts';
import { effectsOfTasks } from './effects/tasks.ts';
import { effectsOfWaiting } from './effects/waiting.ts';
import type { Event, EventOf, EventType } from './event.ts';
import { evolve } from './evolve.ts';
import { initialState } from './initial.ts';
import type { SessionState } from './state.ts';

/** The result of `decide` for one event. */
interface Decision {
  readonly state: SessionState;
  readonly effects: readonly Effect[];
}

/**
 * Folds one event: returns the new state and the effects for the engine. Effects are edge-triggered and may be lost by a
 * crash. Whatever must not be lost follows from the state (`next`), and `session.started` asks again for everything under way.
 */
export const decide = (state: SessionState | null, event: Event): Decision => {
  const after = evolve(state, event);
  return { state: after, effects: ask(event.type, { before: state ?? initialState(), after }, event) };
};

const asks: Asks = {
  ...effectsOfSession,
  ...effectsOfLoop,
  ...effectsOfFlow,
  ...effectsOfTasks,
  ...effectsOfChanges,
  ...effectsOfInvocations,
  ...effectsOfWaiting,
};

type EventMap = { readonly [T in EventType]: EventOf<T> };

const ask = <T extends EventType>(
  type: T,
  change: Parameters<Ask<T>>[0],
  event: EventMap[T],
): readonly Effect[] => asks[type]?.(change, event) ?? [];
