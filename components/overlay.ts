import type { IssueId } from '../src/issues/issue.ts';
import type { MessageType } from '../src/signals/kinds.ts';
import type { Signal, SteerVerdict, Target } from '../src/signals/signal.ts';
import type { TaskCommands } from '../src/tasks/commands.ts';
import type { FormOverlay } from './form/form-view.ts';
import type { Editor } from './keys/line-editor.ts';
import type { TrustedIntent } from './ports/start-intent.ts';
import type { ServeOverlay } from './serve/serve-view.ts';
import type {
  AgentInstall,
  CriticalOverlay,
  ReadyGroupsOverlay,
  SessionsOverlay,
  StartOverlay,
  TaskListOverlay,
  TrustOverlay,
} from './start/start-list.ts';
import type { TalkOverlay } from './talk/talk-view.ts';

/** An overlay over the panes. The last one receives the keys. */
export type Overlay =
  | DialogOverlay
  | ComposeOverlay
  | ConfirmOverlay
  | KnowledgeOverlay
  | AnswerOverlay
  /** One line under the panes: the search in the output or the changes, a task of the graph, a pane's filter, a comment. */
  | {
      readonly kind: 'prompt';
      readonly what: 'search';
      readonly pane?: 'changes';
      readonly editor: Editor;
    }
  | { readonly kind: 'prompt'; readonly what: 'find' | 'trust'; readonly editor: Editor }
  /** A comment on a line of a diff, for the review with this request. */
  | {
      readonly kind: 'prompt';
      readonly what: 'comment';
      readonly request: string;
      readonly file: string;
      readonly line: number;
      readonly editor: Editor;
    }
  | { readonly kind: 'prompt'; readonly what: 'filter'; readonly pane: string; readonly editor: Editor }
  /** `at`: the item under the cursor; `answered`: those answered here whose end is not reported yet. Both by `needs-queue.ts`. */
  | {
      readonly kind: 'needs-you';
      readonly cursor: number;
      readonly at?: string;
      readonly answered?: readonly string[];
    }
  /** Replaces a dialog whose question was settled meanwhile. */
  | { readonly kind: 'settled'; readonly text: string }
  | HelpOverlay
  | { readonly kind: 'palette'; readonly cursor: number; readonly editor: Editor }
  | StartOverlay
  | FormOverlay
  | TalkOverlay
  | PlanReviewOverlay
  /** The end of the session. The cursor counts its failures. */
  | { readonly kind: 'end'; readonly cursor: number };

export type OverlayKind = Overlay['kind'];

/** Those of `components/dialogs.ts`. */
export type DialogOverlay =
  | TrustOverlay
  | TaskListOverlay
  | PermissionOverlay
  | SignalOverlay
  | RunnersOverlay
  | StatisticsOverlay
  | RehearsalOverlay
  | CriticalOverlay
  | SessionsOverlay
  | ReadyGroupsOverlay
  | ServeOverlay
  | MoveIssueOverlay
  | QuitOverlay;

/** What happens to the work after leaving. */
export interface QuitOverlay {
  readonly kind: 'quit';
  readonly cursor: number;
}

export type DialogKind = DialogOverlay['kind'];

/** An agent's permission request. */
export interface PermissionOverlay {
  readonly kind: 'permission';
  readonly request: string;
  readonly top: number;
}

export interface SignalOverlay {
  readonly kind: 'signal';
  readonly id: string;
  readonly top: number;
}

export interface RunnersOverlay {
  readonly kind: 'runners';
  readonly top: number;
}

/** The numbers of all sessions, as text. */
export interface StatisticsOverlay {
  readonly kind: 'statistics';
  readonly lines: readonly string[];
  readonly top: number;
}

/** A rehearsal of the plan at its gate: `lines` are the commands that it would run, or what it found. */
export interface RehearsalOverlay {
  readonly kind: 'rehearsal';
  readonly stage: 'asks' | 'runs' | 'done';
  readonly lines: readonly string[];
  readonly top: number;
}

/** The keys of this place. */
export interface HelpOverlay {
  readonly kind: 'help';
  readonly top: number;
  /** Whether every group is shown with its rows. */
  readonly all?: boolean;
  readonly filter?: HelpFilter;
}

/** Only rows that contain every word of the text; `focused`: the field has the keys. */
export interface HelpFilter {
  readonly text: string;
  readonly focused: boolean;
}

/** Writing a STEER, an INFO or a RETRY's message. */
export interface ComposeOverlay {
  readonly kind: 'compose';
  readonly type: MessageType | 'RETRY';
  readonly recipient: Recipient;
  /** A person's own verdict on a STEER; `null` leaves it to the agent. */
  readonly apply: SteerVerdict | null;
  /** The message interrupts the current reply. */
  readonly now?: true;
  /** Sending the message also refuses this permission request. */
  readonly refuses?: string;
  /** Id of the pending signal that this one replaces. */
  readonly editing?: string;
  /** RETRY: the task's commands as edited here. */
  readonly commands?: TaskCommands;
  readonly editor: Editor;
}

/** A change of the message that is being written. */
export interface ComposeChange {
  readonly recipient?: Recipient;
  readonly kind?: ComposeOverlay['type'];
  readonly apply?: SteerVerdict | null;
  /** It replaces no pending signal any more. */
  readonly anew?: true;
}

/** The recipient of a message: a role or all, optionally only the agent on one task. */
export interface Recipient {
  readonly target: Target;
  readonly task: string | null;
  /** Only this worker of a team. */
  readonly worker?: string;
}

export const isSameRecipient = (one: Recipient, other: Recipient): boolean =>
  one.target === other.target && one.task === other.task && one.worker === other.worker;

/** A question before an action that cannot be undone. Its text follows the state (`selectConfirm`). */
export interface ConfirmOverlay {
  readonly kind: 'confirm';
  readonly subject: ConfirmSubject;
  readonly editor: Editor;
}

/** The subject of the question. */
export type ConfirmSubject =
  | { readonly kind: 'cancel'; readonly task: string }
  /** A worker of a team leaves it, and its task is free. */
  | { readonly kind: 'replace'; readonly worker: string }
  | { readonly kind: 'withdraw'; readonly id: string }
  /** An order in force for the selected task no longer holds. */
  | { readonly kind: 'order'; readonly id: string }
  /** Takes changes back or brings them again. `attempt: null`: all of the task. */
  | { readonly kind: 'take-back'; readonly task: string; readonly attempt: number | null }
  /** `leaving`: the screen closes too. */
  | { readonly kind: 'abort'; readonly leaving?: true }
  | { readonly kind: 'drain' }
  /** Runs the vendor's login command of the agent that stopped the session. */
  | { readonly kind: 'login' }
  /** Installs an agent that is not there, and reads the start screen again. */
  | { readonly kind: 'install'; readonly install: AgentInstall }
  /** Lifts the hold of a resumed session. */
  | { readonly kind: 'lift' }
  /** Another session runs in this workspace already: starts one beside it. */
  | { readonly kind: 'beside'; readonly what: string; readonly intent: TrustedIntent }
  /** The edited plan: the differences, and the answer that approves it. */
  | { readonly kind: 'plan'; readonly lines: readonly string[]; readonly signal: Signal };

/** The plan of an issue with the validator's critique, before its work begins. The cursor counts the lines with text. */
export interface PlanReviewOverlay {
  readonly kind: 'plan-review';
  readonly request: string;
  readonly cursor: number;
  /** The text that has the keys. */
  readonly side: ReviewSide;
}

export type ReviewSide = 'plan' | 'critique';

/** Asks for the state that an issue moves to. */
export interface MoveIssueOverlay {
  readonly kind: 'move-issue';
  readonly issue: IssueId;
  readonly cursor: number;
}

/** The knowledge gate. `asking` is the decision to confirm with Enter. */
export interface KnowledgeOverlay {
  readonly kind: 'knowledge';
  readonly cursor: number;
  readonly chosen: readonly string[];
  readonly top: number;
  readonly asking: 'approve' | 'skip' | null;
  readonly editor: Editor;
}

/** Who has the keys at the plan gate. */
export type PlanSide = 'tasks' | 'options';

/** Answers an agent's question or the plan gate. */
export interface AnswerOverlay {
  readonly kind: 'answer';
  readonly request: string;
  readonly cursor: number;
  /** At the plan gate: the tasks have the keys, and the field is a comment on one. Absent: the options have them. */
  readonly side?: 'tasks';
  readonly editor: Editor;
}
