/** A mouse event, in cells of the screen counted from 0. */
export interface Pointing {
  /** `drag`: moved with the left button held. */
  readonly what: 'press' | 'drag' | 'release' | 'wheel-up' | 'wheel-down';
  readonly column: number;
  readonly row: number;
}

/** The terminal's mouse. Performed by the cli. */
export interface Mouse {
  /** Turns mouse reports of the terminal on or off. While they are on, Shift selects text. */
  turn(on: boolean): void;
  /** Reports every press, drag, release and wheel notch, in order with the keys. The returned function stops listening. */
  listen(listener: (pointing: Pointing) => void): () => void;
}

/** A terminal without a mouse. */
export const noMouse: Mouse = { turn: () => {}, listen: () => () => {} };

/** The thing at a place on the screen, as far as the mouse can act on it. */
export type Target =
  | { readonly kind: 'pane'; readonly pane: string }
  /** The line between Tasks and the pane beside it: dragging moves it. */
  | { readonly kind: 'divider' }
  /** The name of a pane in a title line with several. */
  | { readonly kind: 'tab'; readonly pane: string }
  | { readonly kind: 'task'; readonly id: string }
  | { readonly kind: 'signal'; readonly list: 'inbox' | 'processed'; readonly id: string }
  /** A line of the Output tab, by its number. */
  | { readonly kind: 'line'; readonly line: number }
  /** An item of a tab with its own cursor (`Reading.at`). */
  | { readonly kind: 'row'; readonly pane: string; readonly at: string }
  /** An item of the topmost overlay's list. */
  | { readonly kind: 'item'; readonly item: number }
  /** An advertised key, by the id of its command. */
  | { readonly kind: 'command'; readonly id: string };
