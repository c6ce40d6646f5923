import type { EventOf } from '../event.ts';

/** A runner as the session last saw it. */
export interface RunnerState {
  readonly described: Omit<EventOf<'runner.reached'>, 'type' | 'seq' | 'at' | 'runner'> | null;
  readonly reachedAt: string | null;
  /** Since when it is unreachable; `null` while the link is up. */
  readonly lost: { readonly since: string; readonly why: string; readonly stopsAt: string } | null;
  /** Refs of late results. */
  readonly late: readonly string[];
}
