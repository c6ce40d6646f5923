/** The permanent line under the header: the current activity, or what the session waits for and why. Never empty (components/README.md, Words and motion). */
export interface NowLine {
  readonly tone: 'work' | 'wait' | 'you' | 'held' | 'good' | 'bad';
  readonly text: string;
  /** For a screen too narrow for `text`: names less, so that nothing is cut in the middle. */
  readonly short?: string;
  /** The end of `text` that names the key. It stays where the words before it are cut. */
  readonly last?: string;
}
