/** The signs that Markdown is drawn with. */
export interface MarkdownLook {
  readonly bullet: string;
  readonly bar: string;
  readonly rule: string;
  readonly cross: string;
  /** Of a block of code: its first and its last row. */
  readonly opens: string;
  readonly closes: string;
  /** A task in a list, done and open. */
  readonly boxes: readonly [done: string, open: string];
  /** Whether inline code needs its backticks, because nothing else sets it apart. */
  readonly ticks: boolean;
}
