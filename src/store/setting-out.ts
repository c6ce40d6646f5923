import type { Editor } from './line-editor.ts';

/** What one can start here, as the program found it. */
export interface Offers {
  readonly workspace: string;
  /** "script: runs the commands of plans". */
  readonly agents: readonly string[];
  readonly plans: readonly PlanOffer[];
  /** What this repository itself offers to check, or `null`. */
  readonly checks: { readonly goal: string } | null;
}

export interface PlanOffer {
  readonly file: string;
  readonly goal: string;
  /** Why it cannot be started, in one sentence. */
  readonly problem: string | null;
}

/** What was chosen there. */
export type Start =
  | { readonly what: 'plan'; readonly file: string }
  | { readonly what: 'checks' }
  | { readonly what: 'demo' };

export interface StartOverlay {
  readonly kind: 'start';
  readonly offers: Offers;
  /** Into `startItems`; 0 is the goal field. */
  readonly cursor: number;
  readonly editor: Editor;
}

/** What of the repository's own would run, asked about before any of it does; `top` is the first line shown. */
export interface TrustOverlay {
  readonly kind: 'trust';
  readonly lines: readonly string[];
  readonly top: number;
  readonly intent: TrustedIntent;
}

/** What starts once somebody agreed; `agreed` names what was shown, so that nothing else runs by that. */
export type TrustedIntent =
  | { readonly type: 'start'; readonly start: Start; readonly agreed?: string }
  /** This program becomes the host of the session on the screen. */
  | { readonly type: 'resume'; readonly agreed?: string };

/** A session in the picker. */
export interface SessionChoice {
  readonly workspace: string;
  readonly session: string;
  readonly status: string;
  readonly progress: string;
  /** '' where it is not known. */
  readonly goal: string;
  /** "3 h ago" */
  readonly ago: string;
  /** Pid of who runs it. */
  readonly pid: number | null;
  readonly shown: boolean;
}

export interface SessionsOverlay {
  readonly kind: 'sessions';
  readonly rows: readonly SessionChoice[];
  readonly cursor: number;
}

/** A line of the start screen that can be chosen. */
export type StartItem =
  | { readonly kind: 'goal' }
  | { readonly kind: 'plan'; readonly plan: PlanOffer }
  | { readonly kind: 'checks'; readonly goal: string }
  | { readonly kind: 'demo' };

export const startItems = ({ plans, checks }: Offers): readonly StartItem[] => [
  { kind: 'goal' },
  ...plans.map((plan): StartItem => ({ kind: 'plan', plan })),
  ...(checks ? [{ kind: 'checks', ...checks } as const] : []),
  { kind: 'demo' },
];
