/** How long a session was run, and how much of that it waited for a person. */
export interface SessionTimes {
  /** Milliseconds that earlier programs ran it. Time between a stop and a resume does not count. */
  readonly spentMs: number;
  /** Start of the last program that ran it, ISO 8601; '' before the first. */
  readonly startedAt: string;
  /** Milliseconds of it in which the session waited for a person. `waitingSince`: start of the open wait, ISO 8601. */
  readonly waitedMs: number;
  readonly waitingSince: string | null;
}
