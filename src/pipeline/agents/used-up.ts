/** An agent whose quota is used up. */
export interface UsedUp {
  /** It gets no work before, unless no other agent is left. */
  readonly until: number;
  /** Reports in a row. Each doubles the time, because most agents do not say when their quota starts again. */
  readonly times: number;
}
