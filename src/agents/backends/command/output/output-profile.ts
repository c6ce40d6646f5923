import type { StopReason, TokenCount } from '../../../agent-facts.ts';
import type { AgentUpdate } from '../../acp/updates.ts';

/** What one line of an agent's stream says. A line of an unknown kind says nothing. */
export type StreamEvent =
  | AgentUpdate
  /** The agent's own session, at the stream's beginning. */
  | {
      readonly kind: 'session';
      readonly session: string;
      readonly model?: string;
      readonly mode?: string;
      readonly version?: string;
    }
  /** A sentence of the agent that is no part of its reply. */
  | { readonly kind: 'remark'; readonly text: string }
  | ({ readonly kind: 'end' } & StreamEnd);

/** The result that the stream states at its end. A stream without it is incomplete. */
export interface StreamEnd {
  readonly stop: StopReason;
  readonly tokens: TokenCount | null;
  /** The reply, for streams that repeat it at the end. */
  readonly text?: string;
  /** Why there is no answer. */
  readonly failure?: StreamFailure;
}

/** `quota`: the login or the key may use no more for now. `login`: it is not accepted. */
export interface StreamFailure {
  readonly why: 'quota' | 'login' | 'other';
  /** The agent's own sentence. */
  readonly sentence: string;
  /** When the quota starts again, in ms since 1970, if the agent says so. */
  readonly until?: number;
}

/** The form in which a program prints its work, line by line as JSON. */
export interface OutputProfile {
  readonly label: string;
  /** Whether its stream states the cost. Else `limits.max_cost` cannot hold it. */
  readonly reportsCost: boolean;
  /** The vendor's command that opens the session outside this program. `{session}` stands for its id. */
  readonly resumeCommand: string;
  /** The vendor's login command. */
  readonly login: string;
  /** Makes the reader of one stream. It takes a line's JSON, whatever that is, and never throws. Titles name files of `workspace` from there. */
  readonly reader: (workspace: string) => (line: unknown) => readonly StreamEvent[];
}
