import { formatTimestamp } from '../../base/clock.ts';
import { toFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import type { Engine } from '../../engine/engine.ts';
import { agentsOf, type Described } from '../../runners/remote/connection.ts';
import type { SessionPaths } from '../../session/paths.ts';
import type { RunnerNews } from '../runners/runner-news.ts';
import type { World } from '../world.ts';

/** Records in a session's journal what becomes of its runners. `engine` is made after them. */
export const noteRunners = (
  { clock }: World,
  { session, workspace }: SessionPaths,
  orphanAfterMs: number,
  engine: () => Engine,
): RunnerNews => {
  const lost = new Set<string>();
  const said = new Map<string, string>();
  /** Each invocation in a sandbox has a link of its own: the machine behind it is the same. */
  const isNews = (runner: string, { program, node, cores, agents }: Described): boolean => {
    const words = [program, node, cores, ...agents].join('\n');
    if (said.get(runner) === words) return false;
    said.set(runner, words);
    return true;
  };
  const reached = (runner: string, described: Described): void => {
    const { program, node, cores, freeBytes, clockDifferenceMs, roundTripMs } = described;
    engine().noteRunner({
      type: 'runner.reached',
      runner,
      program: safe(program),
      node: safe(node),
      cores,
      free_bytes: freeBytes,
      clock_difference_ms: clockDifferenceMs,
      round_trip_ms: roundTripMs,
      agents: agentsOf(described).map(safe),
    });
  };
  return {
    session: { session, workspace },
    changed: (runner, state, described) => {
      // A link that never came up fails the call that wanted it, which says why.
      if (described === null) return;
      if (state.kind === 'unreachable' && !lost.has(runner)) {
        lost.add(runner);
        const stopsAt = formatTimestamp(clock, state.since + orphanAfterMs);
        const why = safe(state.why?.what ?? 'the connection ended');
        engine().noteRunner({ type: 'runner.lost', runner, why, stops_at: stopsAt });
      }
      if (state.kind === 'reachable' && lost.delete(runner)) reached(runner, described);
      if (state.kind === 'broken') lost.delete(runner);
    },
    reached: (runner, described, late) => {
      if (isNews(runner, described)) reached(runner, described);
      return late()
        .then((all) => {
          for (const each of all) engine().noteRunner({ type: 'runner.late-result', runner, ...each });
        })
        .catch((error: unknown) =>
          engine().noteProblem({ ...toFault(error), where: `late work from runner ${runner}` }),
        );
    },
    claimed: (runner, invocation, number) =>
      engine().noteRunner({ type: 'runner.claimed', runner, invocation, number }),
    odd: (fault) => engine().noteProblem(fault),
  };
};
