import type { LocalTime } from '../../src/words/local-time.ts';
import type { Command } from '../command.ts';
import type { Tone } from '../draw/palettes.ts';
import type { Line } from '../draw/span.ts';
import type { Theme } from '../draw/theme.ts';
import type { ViewState } from '../view.ts';

/** What lines in a dialog depend on besides the view. */
export interface DialogLook {
  /** Columns inside its frame. */
  readonly width: number;
  /** Of the screen. */
  readonly columns: number;
  readonly rows: number;
  readonly now: LocalTime;
  readonly theme: Theme;
  /** The sentence with the keys of its command ids. */
  keys(text: string): string;
}

/** What every dialog has: its frame, and its keys. `dialogs.ts` lists them; a new one copies `components/runners/dialog.ts`. */
interface DialogFrame<Shown> {
  /** Columns at most. */
  widest(shown: Shown, size: ScreenSize): number;
  /** Orange where something needs a person, red where something is destroyed. Absent: blue. */
  tone?(view: ViewState, shown: Shown): Extract<Tone, 'accent' | 'needs-you' | 'failed'>;
  title(view: ViewState, shown: Shown): string;
  /** Its keys but those that move. */
  readonly commands: readonly Command[];
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** Lines that scroll as a whole; what is out of sight is counted below them. */
export interface TextDialog<Shown> extends DialogFrame<Shown> {
  readonly moves: 'text';
  /** How many there are does not depend on time and theme. */
  lines(view: ViewState, shown: Shown, look: DialogLook): readonly Line[];
  /** What is added to the count of lines out of sight. */
  edge?(shown: Shown, look: DialogLook): string;
}

/** A list to choose from; the cursor stays in sight. */
export interface MenuDialog<Shown> extends DialogFrame<Shown> {
  readonly moves: 'cursor';
  above?(view: ViewState, shown: Shown, look: DialogLook): readonly Line[];
  /** The rows of each item, beside the mark of the cursor; `here`: it is on this item. */
  items(view: ViewState, shown: Shown, look: DialogLook): readonly ((here: boolean) => readonly Line[])[];
  below?(view: ViewState, shown: Shown, look: DialogLook): readonly Line[];
}

export type Dialog<Shown> = TextDialog<Shown> | MenuDialog<Shown>;
