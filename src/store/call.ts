/** Something a person is called for; `key` tells whether they were already. */
export interface Call {
  readonly key: string;
  readonly text: string;
}

/** A session that this program runs while another one is on the screen. */
export interface OtherSession {
  readonly session: string;
  /** What waits for a person there. */
  readonly calls: readonly Call[];
}
