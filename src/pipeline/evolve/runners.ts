import type { RunnerState } from '../agents/runner-state.ts';
import type { RunnersEventType } from '../events/runners.ts';
import type { HandlersOf } from '../handler.ts';
import { put } from '../maps.ts';

const unknown: RunnerState = { described: null, reachedAt: null, lost: null, late: [] };

export const runners: HandlersOf<RunnersEventType> = {
  'runner.reached': (state, { type: _type, seq: _seq, at, runner, ...described }, own) => ({
    runners: put(own, state.runners, runner, {
      ...(state.runners.get(runner) ?? unknown),
      described,
      reachedAt: at,
      lost: null,
    }),
  }),
  'runner.claimed': (state, { at, invocation, number }, own) => {
    const known = state.invocations.get(invocation);
    return known === undefined
      ? {}
      : { invocations: put(own, state.invocations, invocation, { ...known, claim: { number, at } }) };
  },
  'runner.lost': (state, { at, runner, why, stops_at: stopsAt }, own) => ({
    runners: put(own, state.runners, runner, {
      ...(state.runners.get(runner) ?? unknown),
      lost: { since: at, why, stopsAt },
    }),
  }),
  'runner.late-result': (state, { runner, ref }, own) => {
    const known = state.runners.get(runner) ?? unknown;
    return { runners: put(own, state.runners, runner, { ...known, late: [...known.late, ref] }) };
  },
};
