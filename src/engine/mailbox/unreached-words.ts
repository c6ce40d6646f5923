import type { SessionState } from '../../pipeline/state.ts';

/** Runners that could not be told to stop, each with since when it is unreachable and when it stops its agents by itself. */
export const unreachedWords = (
  { runners }: Pick<SessionState, 'runners'>,
  names: readonly string[] = [],
): readonly string[] =>
  names.map((name) => {
    const lost = runners.get(name)?.lost;
    return lost
      ? `runner ${name} has been unreachable since ${lost.since}, and will stop its agents at ${lost.stopsAt}`
      : `runner ${name} has not confirmed that its agents are gone`;
  });
