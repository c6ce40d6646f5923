import type { Event } from '../src/pipeline/event.ts';
import type { SessionState } from '../src/pipeline/state.ts';
import type { HeldAnswer } from './answer/here-answer.ts';
import type { OtherSession } from './compose/call.ts';
import type { AttemptHistory } from './details/attempt-history.ts';
import type { LogView } from './draw/log-view.ts';
import type { Replay } from './frame/replay.ts';
import type { IssuesView } from './issues/issues-view.ts';
import type { OutputLogs } from './output/output-logs.ts';
import type { Overlay } from './overlay.ts';
import type { Preferences } from './ports/preferences.ts';
import type { ChosenForm, ThirdPane } from './ports/tasks-form.ts';
import type { Changes } from './ports/viewer-port.ts';
import type { Reading } from './reading.ts';
import type { OutputRates } from './timeline/output-rates.ts';
import type { Timeline } from './timeline/timeline.ts';

/**
 * The whole state of the screen. `session` is folded by the pipeline's own `evolve`, so a live run, `attach` and `replay` give the same
 * value (src/README.md, invariant 5). Everything else exists only for display.
 */
export interface ViewState {
  readonly session: SessionState | null;
  /** Ring buffers outside of React. They change in place, and `outputVersion` counts the changes. */
  readonly output: OutputLogs;
  readonly outputVersion: number;
  /** Changes in place too, with the session. */
  readonly attempts: AttemptHistory;
  readonly timeline: Timeline;
  readonly rates: OutputRates;
  /** Newest last, at most `maxEvents`. */
  readonly events: readonly Event[];
  readonly connection: Connection;
  /** This program is about to host the session: it is drawn before its engine starts. */
  readonly opening: boolean;
  /** The session as its plan will lay it out: its tasks are drawn until the journal has them. `null` without a plan. */
  readonly planned: SessionState | null;
  /** `null` except during the playback of a journal. */
  readonly replay: Replay | null;
  /** One sentence under the panes: the last thing sent, or why a key did nothing. */
  readonly notice: Notice | null;
  /** The preferences of the person at this screen. `null` when only the session's own settings are known. */
  readonly preferences: Preferences | null;
  readonly ui: UiState;
}

/** `live`: this program hosts the engine · `attached`: another one does · `replay`: a journal is played back · `stopped`: no host. */
export type Connection = 'live' | 'attached' | 'replay' | 'stopped';

export interface Notice {
  readonly text: string;
  readonly tone: 'info' | 'good' | 'bad';
  /** Stays until the next key instead of a few seconds, so that it is not missed. */
  readonly stays?: true;
  /** Came without a key press: the keys keep their line, and it stands above them. */
  readonly besideKeys?: true;
  /** The command that was refused with this sentence: it is shown as long as it is true. */
  readonly refuses?: string;
}

export type PaneName = 'tasks' | 'right' | 'inbox' | 'processed';

/** Places in the order of `Tab`. */
export const paneNames: readonly PaneName[] = ['tasks', 'right', 'inbox', 'processed'];

export interface UiState {
  readonly focus: PaneName;
  /** The pane on the right: one of `tabNames`. */
  readonly tab: string;
  /** By id, so that a changing list never moves the selection. `null` follows the work. */
  readonly selected: { readonly [list in ListName]: string | null };
  /** First rows of lists scrolled by the wheel. `null` keeps the cursor in sight. */
  readonly tops: { readonly [list in ListName]: number | null };
  /** The task or invocation whose output is shown while nothing is selected. */
  readonly followed: string | null;
  readonly log: LogView;
  /** The filter of the Tasks pane. */
  readonly tasks: TasksView;
  /** Rejected signals that were in sight in Processed, or before this screen. */
  readonly rejectionsSeen: number;
  /** Whose changes the Changes tab shows: a task's, one of its attempts', or the session's. */
  readonly scope: ChangesScope;
  /** Where there is room: old and new lines in two columns, or in one. `null`: as the preferences say. */
  readonly columns: 'one' | 'two' | null;
  /** The reading position of each pane, by its name. A missing pane is read from its start. */
  readonly readings: { readonly [pane: string]: Reading };
  readonly overlays: readonly Overlay[];
  /** An answer given over the panes that can still be taken back. */
  readonly held: HeldAnswer | null;
  /** Unsent compositions survive Esc, by type. */
  readonly drafts: { readonly [type: string]: string };
  /** Sent messages, newest last, for the composer's history. */
  readonly history: readonly string[];
  readonly zoom: boolean;
  /** Columns that a person gave to Tasks. `null`: as the screen allows. */
  readonly left: number | null;
  /** The chosen pane of the third column, where the screen is wide enough for one. */
  readonly third: ThirdPane;
  /** Milliseconds that the timeline shows. `null` is the whole session. */
  readonly span: number | null;
  /** The last `resized` size. Used only for the length of a page. */
  readonly size: { readonly columns: number; readonly rows: number };
  /** Texts of staged knowledge files, read for the gate. `null` = could not be read. */
  readonly previews: { readonly [file: string]: string | null };
  /** Texts of reports, by task and attempt. `null` = there is none. */
  readonly reports: { readonly [key: string]: string | null };
  /** The latest answers of git, by request. */
  readonly changes: { readonly [key: string]: Changes };
  readonly issues: IssuesView;
  /** Texts of files in the workspace that panes and overlays show: of an issue under review, by request and path. `null` = could not be read. */
  readonly documents: { readonly [key: string]: string | null };
  /** Whether the engine survives this screen. Decides what `q` offers. */
  readonly canLeaveRunning: boolean;
  /** The session has no host and `R` can resume it, because ralph-tui laid it out. */
  readonly resumable: boolean;
  /** "10:31": since then the machine of the session is not reached; `null` while it is. */
  readonly lostAt: string | null;
  /** The iteration with waiting feedback, as last seen while the session had no host. */
  readonly feedbackFor: number | null;
  /** That feedback needs a model agent: the session's agents only run commands. */
  readonly feedbackNeedsAgent: boolean;
  /** The directory in which this screen was started, for commands that a person types. `null` when it is unknown. */
  readonly cwd: string | null;
  /** Other sessions in this program: leaving affects them too. */
  readonly alsoHosted: readonly OtherSession[];
  /** What discovery found so far in the workspace; '' before it reports. Names keys as `{command}`. */
  readonly discovered: string;
}

export type ChangesScope = 'attempt' | 'task' | 'session';

interface TasksView {
  /** Words that must all be in the status, the agent, the id or the title of a task; '' shows all. */
  readonly filter: string;
  /** Shows only the chosen task, its dependencies and its dependents, at any distance. */
  readonly neighbours: boolean;
  readonly as: ChosenForm;
  /** Draws the finished tasks of each part of the graph as one. `null`: where the whole graph does not fit. */
  readonly folded: boolean | null;
  /** The task in the middle of a graph that is too large to draw whole. `null`: the task under the cursor. */
  readonly anchor: string | null;
  /** In the graph: the task that steps along edges led to, and the one whose row they keep. */
  readonly row: { readonly at: string; readonly of: string } | null;
  /** The last words looked for in the graph. */
  readonly find: string;
}

export type ListName = 'tasks' | 'inbox' | 'processed';

export const maxEvents = 1_000;
