/** An answer given over the panes. It is sent a few seconds later, so that it can be taken back until then. */
export type HereAnswer =
  | { readonly kind: 'permit'; readonly request: string; readonly decision: 'once' | 'session' | 'no' }
  | { readonly kind: 'answer'; readonly request: string; readonly option: string };

/** The answer that waits to be sent. */
export interface HeldAnswer {
  readonly index: number;
  readonly label: string;
  readonly words: string;
  readonly answer: HereAnswer;
}

/** Milliseconds in which an answer given over the panes can be taken back. */
export const heldMs = 5_000;
