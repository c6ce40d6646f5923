import type { Fault } from '../../base/fault.ts';
import type { LinkState } from '../../runners/link/pipe.ts';
import type { Collected } from '../../runners/remote/collect-late.ts';
import type { Described } from '../../runners/remote/connection.ts';

/** What the owner of the runners wants to hear. */
export interface RunnerNews {
  /** The session whose late work is collected; `null`: none. */
  readonly session: { readonly session: string; readonly workspace: string } | null;
  readonly changed: (runner: string, state: LinkState, described: Described | null) => void;
  /** A link is up. `late` takes over the late work of the session. */
  readonly reached: (
    runner: string,
    described: Described,
    late: () => Promise<readonly Collected[]>,
  ) => Promise<void>;
  /** A runner of a pool took the work of an invocation. */
  readonly claimed: (runner: string, invocation: string, number: number) => void;
  readonly odd: (fault: Fault) => void;
}

/** For callers that only ask a runner. */
export const silent: RunnerNews = {
  session: null,
  changed: () => undefined,
  reached: () => Promise.resolve(),
  claimed: () => undefined,
  odd: () => undefined,
};
