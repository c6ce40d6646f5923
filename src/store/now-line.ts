/** The permanent line under the header: what happens, or what it waits for and why. Never empty (product.md, The screen). */
export interface NowLine {
  readonly tone: 'work' | 'wait' | 'you' | 'held' | 'good' | 'bad';
  readonly text: string;
  /** For a screen on which `text` does not fit: less is named, nothing is cut in the middle. */
  readonly short?: string;
}
