import type { SignalType, SteerVerdict, Target } from '../signals/signal.ts';
import type { Intent } from './intent.ts';
import type { Editor } from './line-editor.ts';
import type { SessionsOverlay, StartOverlay, TrustOverlay } from './setting-out.ts';

/** What lies over the panes; the last one has the keys. */
export type Overlay =
  | ComposeOverlay
  | ConfirmOverlay
  | KnowledgeOverlay
  | AnswerOverlay
  /** One line under the panes: what to look for in the output, or which tasks to show. */
  | { readonly kind: 'prompt'; readonly what: 'search' | 'filter' | 'events'; readonly editor: Editor }
  | { readonly kind: 'needs-you'; readonly cursor: number }
  | { readonly kind: 'signal'; readonly id: string; readonly top: number }
  | { readonly kind: 'help'; readonly top: number }
  | { readonly kind: 'palette'; readonly cursor: number; readonly editor: Editor }
  | StartOverlay
  | SessionsOverlay
  | TrustOverlay
  /** How the session ended; the cursor counts its failures. */
  | { readonly kind: 'end'; readonly cursor: number }
  | { readonly kind: 'quit'; readonly cursor: number };

export type OverlayKind = Overlay['kind'];

/** Writing a STEER, an INFO or a RETRY's message. */
export interface ComposeOverlay {
  readonly kind: 'compose';
  readonly type: Extract<SignalType, 'STEER' | 'INFO' | 'RETRY'>;
  readonly recipient: Recipient;
  /** A person's own verdict on a STEER; `null` leaves it to the agent. */
  readonly apply: SteerVerdict | null;
  /** The id of the pending signal this takes the place of. */
  readonly editing?: string;
  readonly editor: Editor;
}

/** Whom a message is for: a role or everybody, and maybe only the agent on one task. */
export interface Recipient {
  readonly target: Target;
  readonly task: string | null;
}

/** `word`: must be typed before Enter does anything (ABORT). */
export interface ConfirmOverlay {
  readonly kind: 'confirm';
  readonly title: string;
  readonly lines: readonly string[];
  readonly verb: string;
  readonly word: string | null;
  readonly editor: Editor;
  readonly intent: Intent;
}

/** The knowledge gate; `asking` is the decision that waits for its Enter. */
export interface KnowledgeOverlay {
  readonly kind: 'knowledge';
  readonly cursor: number;
  readonly chosen: readonly string[];
  readonly top: number;
  readonly asking: 'approve' | 'skip' | null;
  readonly editor: Editor;
}

/** Answering an agent's question or a gate of the plan. */
export interface AnswerOverlay {
  readonly kind: 'answer';
  readonly request: string;
  readonly cursor: number;
  readonly editor: Editor;
}
