import type { Talk } from '../src/skills/talk/talk.ts';
import type { HeldAnswer } from './answer/here-answer.ts';
import type { OtherSession } from './compose/call.ts';
import type { FormTurn } from './form/form-view.ts';
import type { Replay } from './frame/replay.ts';
import type { IssueAction } from './issues/issues-view.ts';
import type { Edit } from './keys/line-editor.ts';
import type { SeenMailbox } from './mailbox/see-mailbox.ts';
import type { ReadAction } from './output/read-action.ts';
import type { ComposeChange, HelpFilter, Overlay, PlanSide } from './overlay.ts';
import type { Preferences } from './ports/preferences.ts';
import type { Written } from './ports/terminal-port.ts';
import type { IssueOffer, SessionChoice } from './start/start-list.ts';
import type { Connection, Notice, PaneName } from './view.ts';

/** A key's action on the screen alone. It never reaches the run. */
export type UiAction =
  | ReadAction
  | IssueAction
  | { readonly type: 'focused'; readonly pane: PaneName }
  /** Opens a tab and gives it the keys. */
  | { readonly type: 'tab-chosen'; readonly tab: string }
  /** Opens a tab. The keys stay in Tasks where the tab tells about the chosen task; the open tab gets them. */
  | { readonly type: 'tab-shown'; readonly tab: string }
  /** Moves the selection of the focused list, or scrolls the focused text. */
  | { readonly type: 'moved'; readonly by: Move }
  /** The wheel turned over a pane, focused or not. `right`: over the open tab. */
  | { readonly type: 'wheeled'; readonly pane: string; readonly way: 'up' | 'down' }
  | { readonly type: 'selected-signal'; readonly list: 'inbox' | 'processed'; readonly id: string }
  | { readonly type: 'selected-task'; readonly task: string | null }
  | { readonly type: 'zoomed' }
  /** An answer given over the panes is sent soon; `null` forgets it. */
  | { readonly type: 'answer-held'; readonly held: HeldAnswer | null }
  /** A person moved the line beside Tasks to this column. */
  | { readonly type: 'divider-moved'; readonly column: number }
  | { readonly type: 'overlay-opened'; readonly overlay: Overlay }
  /** The session is over. How it ended is shown, or once the overlay in use closes; a queue in which nothing waits is not in use. */
  | { readonly type: 'end-shown' }
  /** Closes the topmost overlay. The text of a composition or an answer is kept as a draft unless `sent`. */
  | { readonly type: 'overlay-closed'; readonly sent?: string }
  | { readonly type: 'overlay-moved'; readonly by: Move; readonly length: number }
  /** Moves the cursor of the topmost overlay's list to an item. */
  | { readonly type: 'overlay-pointed'; readonly item: number }
  | { readonly type: 'edited'; readonly edit: Edit }
  /** Scrolls the trust question to the next row with the text, from the row at the top on; `by` 0 counts that row too. */
  | { readonly type: 'trust-searched'; readonly text: string; readonly by: 1 | 0 | -1 }
  /** Narrows the help; a part that is absent stays as it is. */
  /** Shows every group of the help with its rows, or only what matters here and now. */
  | { readonly type: 'help-unfolded' }
  | { readonly type: 'help-filtered'; readonly change: Partial<HelpFilter> }
  | ({ readonly type: 'compose-set' } & ComposeChange)
  /** Chooses the agent for the goal on the start screen. */
  | { readonly type: 'agent-chosen'; readonly agent: string }
  /** Gives each installation of the start screen a line of its own. */
  | { readonly type: 'installs-folding-toggled' }
  /** The ready groups of the tracker, for the start screen. `problem`: why it could not be read. */
  | {
      readonly type: 'issues-offered';
      readonly issues: readonly IssueOffer[];
      readonly problem: string | null;
    }
  /** Sessions of other machines, for the picker. */
  | { readonly type: 'sessions-found'; readonly rows: readonly SessionChoice[] }
  /** What discovery found so far, for the start screen. */
  | { readonly type: 'discovered'; readonly sentence: string }
  | { readonly type: 'form-turned'; readonly turn: FormTurn }
  /** The conversation as it is now. */
  | { readonly type: 'talk-shown'; readonly talk: Talk }
  /** The conversation ended, wherever it is under other overlays. */
  | { readonly type: 'talk-closed' }
  | { readonly type: 'talk-turned'; readonly what: 'side' | 'fold' }
  /** Rows; up is negative. */
  | { readonly type: 'talk-scrolled'; readonly by: number }
  /** The other text of a plan review gets the keys. */
  | { readonly type: 'review-turned' }
  | { readonly type: 'file-chosen'; readonly file: string }
  | { readonly type: 'decision-asked'; readonly decision: 'approve' | 'skip' | null }
  | { readonly type: 'previewed'; readonly file: string; readonly text: string | null }
  /** The item under the cursor of the needs-you queue was answered there. */
  | { readonly type: 'need-answered' }
  /** At the gate of the plan: gives the keys to this side, and chooses a task. */
  | { readonly type: 'plan-read'; readonly side: PlanSide; readonly task?: string }
  /** The plan after the editor closed. */
  | { readonly type: 'plan-edited'; readonly text: string }
  /** The commands of the task to retry, after the editor closed. */
  | { readonly type: 'commands-edited'; readonly text: string }
  /** Keeps unsent text; '' forgets it. */
  | { readonly type: 'drafted'; readonly what: string; readonly text: string }
  /** Text that earlier screens kept for this session. Text written since then stays. */
  | { readonly type: 'recalled'; readonly written: Written }
  | { readonly type: 'replayed'; readonly change: Partial<Replay> }
  /** Holds until this screen closes. Permanent preferences are in the configuration. */
  | { readonly type: 'preferred'; readonly change: Partial<Preferences> }
  | { readonly type: 'noticed'; readonly notice: Notice | null }
  | {
      readonly type: 'connected';
      readonly connection: Connection;
      readonly canLeaveRunning: boolean;
      readonly resumable: boolean;
      /** "10:31": since then the machine of the session is not reached, and what is shown may be old. */
      readonly lostAt?: string;
    }
  /** The mailbox of a session without a host. */
  | { readonly type: 'mailbox-seen'; readonly seen: SeenMailbox }
  /** The iteration with waiting feedback in a session without a host. */
  | {
      readonly type: 'feedback-seen';
      readonly iteration: number | null;
      readonly needsAgent: boolean;
    }
  /** Other sessions in this program. */
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
  | 'wheel-down'
  | 'left'
  | 'right';
