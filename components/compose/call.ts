/** A reason to call a person. `key` tells whether they were called for it already. */
export interface Call {
  readonly key: string;
  readonly text: string;
}

/** A session that this program hosts while another one is on the screen. */
export interface OtherSession {
  readonly session: string;
  /** Reasons to call a person there. */
  readonly calls: readonly Call[];
}
