import type { Event } from '../pipeline/event.ts';
import type { SessionState } from '../pipeline/state.ts';
import type { AttemptBook } from './attempt-book.ts';
import type { OtherSession } from './call.ts';
import type { LogView } from './log-view.ts';
import type { OutputBook } from './output-book.ts';
import type { Overlay } from './overlay.ts';
import type { Preferences } from './preferences.ts';
import type { Replay } from './replay.ts';
import type { Changes } from './viewer-port.ts';

/**
 * All the screen knows. `session` is folded by the pipeline's own `evolve`, so a live run, `attach` and `replay` give the same value
 * (architecture.md, invariant 5); the rest is what only an eye needs.
 */
export interface ViewState {
  readonly session: SessionState | null;
  /** Ring buffers outside of React; they change in place, `outputVersion` says when. */
  readonly output: OutputBook;
  readonly outputVersion: number;
  /** Changes in place as well, with the session. */
  readonly attempts: AttemptBook;
  /** Newest last, at most `maxEvents`. */
  readonly events: readonly Event[];
  readonly connection: Connection;
  /** `null` but while a journal is played back. */
  readonly replay: Replay | null;
  /** One sentence at a time under the panes: what was just sent, or why a key did nothing. */
  readonly notice: Notice | null;
  /** What the person at this screen has set for it; `null` when only the session's own settings are known. */
  readonly preferences: Preferences | null;
  readonly ui: UiState;
}

/** `live`: this program hosts the engine · `attached`: another one does · `replay`: a journal is played back · `stopped`: nobody runs it. */
export type Connection = 'live' | 'attached' | 'replay' | 'stopped';

export interface Notice {
  readonly text: string;
  readonly tone: 'info' | 'good' | 'bad';
  /** Until the next key, instead of a few seconds: what was missed has to wait for its reader. */
  readonly stays?: true;
}

export type PaneName = 'tasks' | 'right' | 'inbox' | 'processed';
export type TabName = 'output' | 'changes' | 'details' | 'events';

/** Panes and tabs in the order `Tab` and the digits walk through them. */
export const paneNames: readonly PaneName[] = ['tasks', 'right', 'inbox', 'processed'];
export const tabNames: readonly TabName[] = ['output', 'changes', 'details', 'events'];

export interface UiState {
  readonly focus: PaneName;
  readonly tab: TabName;
  /** By id, so that a list that changes never moves the selection; `null` follows the work. */
  readonly selected: { readonly [list in ListName]: string | null };
  /** First rows of lists that the wheel has scrolled; `null` keeps the cursor in sight. */
  readonly tops: { readonly [list in ListName]: number | null };
  /** The task or invocation whose output is shown while nothing is selected. */
  readonly followed: string | null;
  readonly log: LogView;
  /** What the Tasks pane is narrowed to. */
  readonly tasks: TasksView;
  /** Whose changes the Changes tab shows. */
  readonly scope: 'task' | 'session';
  readonly detailsTop: number;
  /** The event under the cursor, by its number; `null` follows the newest. */
  readonly eventsAt: number | null;
  /** All that this event holds is shown below it. */
  readonly eventsOpen: boolean;
  /** First row of the events where the wheel has scrolled them; `null` keeps the cursor, or the newest, in sight. */
  readonly eventsTop: number | null;
  /** Words or the start of a type that an event must have to be shown; '' shows all. */
  readonly eventsFilter: string;
  readonly overlays: readonly Overlay[];
  /** Unsent compositions survive Esc, by type. */
  readonly drafts: { readonly [type: string]: string };
  /** Sent messages, newest last, for the composer's history. */
  readonly history: readonly string[];
  readonly zoom: boolean;
  /** What `resized` said last; only for the length of a page. */
  readonly size: { readonly columns: number; readonly rows: number };
  /** Texts of staged knowledge files as they were read for the gate; `null` = could not be read. */
  readonly previews: { readonly [file: string]: string | null };
  /** Reports as they were read, by task and attempt; `null` = there is none. */
  readonly reports: { readonly [key: string]: string | null };
  /** What git said last, by what was asked. */
  readonly changes: { readonly [key: string]: Changes };
  /** Whether somebody else keeps the engine when this screen goes: decides what `q` offers. */
  readonly canLeaveRunning: boolean;
  /** Nobody runs the session and `R` could: it is one of ours. */
  readonly resumable: boolean;
  /** The iteration somebody has written feedback for, as far as was seen while nobody ran the session. */
  readonly feedbackFor: number | null;
  /** Other sessions that run in this program: leaving concerns them too. */
  readonly alsoHosted: readonly OtherSession[];
}

export interface TasksView {
  /** Words that must all be in the status, the agent, the id or the title of a task; '' shows all. */
  readonly filter: string;
  /** Only the chosen task, what it waits for and what waits for it, at any distance. */
  readonly neighbours: boolean;
}

export type ListName = 'tasks' | 'inbox' | 'processed';

export const maxEvents = 1_000;
