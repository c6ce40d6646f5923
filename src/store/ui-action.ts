import type { SteerVerdict } from '../signals/signal.ts';
import type { OtherSession } from './call.ts';
import type { Written } from './desk.ts';
import type { Edit } from './line-editor.ts';
import type { Overlay, Recipient } from './overlay.ts';
import type { Preferences } from './preferences.ts';
import type { ReadAction } from './read-action.ts';
import type { Replay } from './replay.ts';
import type { SeenMailbox } from './see-mailbox.ts';
import type { Connection, Notice, PaneName, TabName } from './view.ts';

/** What a key does to the screen alone; the run never hears of it. */
export type UiAction =
  | ReadAction
  | { readonly type: 'focused'; readonly pane: PaneName }
  | { readonly type: 'tab-chosen'; readonly tab: TabName }
  /** Moves the selection of the focused list, or scrolls the focused text. */
  | { readonly type: 'moved'; readonly by: Move }
  /** The wheel turned over a pane; which one has the keys does not matter. */
  | { readonly type: 'wheeled'; readonly pane: PaneName; readonly way: 'up' | 'down' }
  | { readonly type: 'selected-signal'; readonly list: 'inbox' | 'processed'; readonly id: string }
  | { readonly type: 'selected-task'; readonly task: string | null }
  | { readonly type: 'zoomed' }
  | { readonly type: 'overlay-opened'; readonly overlay: Overlay }
  /** Closes the topmost overlay; a composition's text is kept as a draft unless `sent`. */
  | { readonly type: 'overlay-closed'; readonly sent?: string }
  | { readonly type: 'overlay-moved'; readonly by: Move; readonly length: number }
  /** The cursor of the topmost overlay's list goes to an item. */
  | { readonly type: 'overlay-pointed'; readonly item: number }
  | { readonly type: 'edited'; readonly edit: Edit }
  | {
      readonly type: 'compose-set';
      readonly recipient?: Recipient;
      readonly kind?: 'STEER' | 'INFO';
      readonly apply?: SteerVerdict | null;
    }
  | { readonly type: 'file-chosen'; readonly file: string }
  | { readonly type: 'decision-asked'; readonly decision: 'approve' | 'skip' | null }
  | { readonly type: 'previewed'; readonly file: string; readonly text: string | null }
  /** The plan as it came back from the editor. */
  | { readonly type: 'plan-edited'; readonly text: string }
  /** What earlier screens kept for this session; what was written since stays. */
  | { readonly type: 'recalled'; readonly written: Written }
  | { readonly type: 'replayed'; readonly change: Partial<Replay> }
  | { readonly type: 'events-filtered'; readonly text: string }
  /** Counts on this screen until it goes; what is set for good stands in the configuration. */
  | { readonly type: 'preferred'; readonly change: Partial<Preferences> }
  | { readonly type: 'noticed'; readonly notice: Notice | null }
  | {
      readonly type: 'connected';
      readonly connection: Connection;
      readonly canLeaveRunning: boolean;
      readonly resumable: boolean;
    }
  /** What lies in the mailbox of a session that nobody runs. */
  | { readonly type: 'mailbox-seen'; readonly seen: SeenMailbox }
  /** The iteration that feedback lies there for as well. */
  | { readonly type: 'feedback-seen'; readonly iteration: number | null }
  /** Which other sessions run in this program. */
  | { readonly type: 'hosting'; readonly sessions: readonly OtherSession[] }
  | { readonly type: 'resized'; readonly columns: number; readonly rows: number };

export type Move =
  | 'up'
  | 'down'
  | 'page-up'
  | 'page-down'
  | 'half-up'
  | 'half-down'
  | 'first'
  | 'last'
  | 'wheel-up'
  | 'wheel-down';
