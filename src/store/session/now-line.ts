/** The permanent line under the header: the current activity, or what the session waits for and why. Never empty (components/README.md, Words and motion). */
export interface NowLine {
  readonly tone: 'work' | 'wait' | 'you' | 'held' | 'good' | 'bad';
  readonly text: string;
  /** For a screen too narrow for `text`: names less, so that nothing is cut in the middle. */
  readonly short?: string;
}
