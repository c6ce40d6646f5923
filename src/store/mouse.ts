import type { PaneName, TabName } from './view.ts';

/** What a person does with the mouse, in cells of the screen from 0 on. */
export interface Pointing {
  readonly what: 'press' | 'wheel-up' | 'wheel-down';
  readonly column: number;
  readonly row: number;
}

/** The terminal's mouse. Performed by the cli. */
export interface Mouse {
  /** Asks the terminal to tell of the mouse, or to keep it to itself; text is selected with Shift meanwhile. */
  turn(on: boolean): void;
  /** Hears of every press and every notch of the wheel, in their order with the keys; the answer stops listening. */
  listen(listener: (pointing: Pointing) => void): () => void;
}

/** A terminal without one. */
export const noMouse: Mouse = { turn: () => {}, listen: () => () => {} };

/** What stands at a place on the screen, as far as the mouse can do something with it. */
export type Target =
  | { readonly kind: 'pane'; readonly pane: PlaceName }
  /** The name of a pane among others in a title line. */
  | { readonly kind: 'tab'; readonly pane: PlaceName }
  | { readonly kind: 'task'; readonly id: string }
  | { readonly kind: 'signal'; readonly list: 'inbox' | 'processed'; readonly id: string }
  /** A line of the Output tab, by its number. */
  | { readonly kind: 'line'; readonly line: number }
  /** An event of the Events tab, by its number. */
  | { readonly kind: 'event'; readonly seq: number }
  /** An item of the topmost overlay's list. */
  | { readonly kind: 'item'; readonly item: number }
  /** A key that is advertised, by the id of its command. */
  | { readonly kind: 'command'; readonly id: string };

/** Everything that can fill a place on the screen. */
export type PlaceName = Exclude<PaneName, 'right'> | TabName;
