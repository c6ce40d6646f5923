import type { StateName } from '../../session/status.ts';
import type { Counter } from './counter.ts';
import { type Durations, durationsOf } from './durations.ts';

export interface TimeCounts {
  /** Time in each state of the machine while a program ran the session. */
  readonly states: readonly { readonly state: StateName; readonly ms: number }[];
  /** Waits for a person, by what was waited for. They may overlap. A wait that no event ended is not counted. */
  readonly waits: readonly (Durations & { readonly for: Wait })[];
}

type Wait = 'plan gate' | 'knowledge gate' | 'question' | 'permission' | 'pause';
const waits: readonly Wait[] = ['plan gate', 'knowledge gate', 'question', 'permission', 'pause'];

export const createTimeCount = (): Counter<TimeCounts> => {
  const states = new Map<StateName, number>();
  const taken = new Map<Wait, number[]>(waits.map((wait) => [wait, []]));
  let state: { readonly name: StateName; readonly since: number } | null = null;
  let paused: StateName | null = null;
  let open = new Map<string, number>();
  const leave = (ms: number): void => {
    if (state !== null) states.set(state.name, (states.get(state.name) ?? 0) + Math.max(0, ms - state.since));
    state = null;
  };
  const end = (wait: Wait, key: string, ms: number): void => {
    const since = open.get(`${wait} ${key}`);
    if (since === undefined) return;
    open.delete(`${wait} ${key}`);
    taken.get(wait)?.push(Math.max(0, ms - since));
  };
  const begin = (wait: Wait, key: string, ms: number): void => {
    if (!open.has(`${wait} ${key}`)) open.set(`${wait} ${key}`, ms);
  };
  return {
    begin: () => {
      state = null;
      paused = null;
      open = new Map();
    },
    take: (event, ms) => {
      switch (event.type) {
        case 'state.entered':
          leave(ms);
          state = { name: event.state, since: ms };
          break;
        case 'session.stopped':
          paused = state?.name ?? null;
          leave(ms);
          break;
        case 'session.started':
          if (event.reason === 'resume' && paused !== null) state = { name: paused, since: ms };
          break;
        case 'gate.opened':
          begin(`${event.gate} gate`, '', ms);
          break;
        case 'gate.decided':
          end(`${event.gate} gate`, '', ms);
          break;
        case 'question.asked':
          begin('question', event.request, ms);
          break;
        case 'question.answered':
          end('question', event.request, ms);
          break;
        case 'permission.asked':
          begin('permission', event.request, ms);
          break;
        case 'permission.answered':
          end('permission', event.request, ms);
          break;
        case 'hold.begun':
          begin('pause', '', ms);
          break;
        case 'hold.ended':
          end('pause', '', ms);
          break;
        default:
          break;
      }
    },
    result: () => ({
      states: [...states].map(([name, ms]) => ({ state: name, ms })),
      waits: waits.map((wait) => ({ for: wait, ...durationsOf(taken.get(wait) ?? []) })),
    }),
  };
};
