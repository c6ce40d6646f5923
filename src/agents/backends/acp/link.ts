import type { StopReason, TokenCount } from '../../agent-facts.ts';
import type { Elicitation, ElicitationAnswer } from './elicitation/elicit.ts';
import type { AgentUpdate, ConfigOption } from './updates.ts';

/**
 * One agent process and our connection to it (src/agents/README.md, ACP flow). Implementation: `connect.io.ts`. Every call rejects with a one-sentence
 * `FaultError` if the agent is gone, hangs or answers with an error.
 */
export interface AgentLink {
  readonly about: AgentAbout;
  /** Opens a session. With `earlier` it opens the older one of that id by the given method. */
  open(request: SessionRequest): Promise<OpenedSession>;
  /** Sets a config option of the session, or its mode if there is no such option. */
  setOption(session: string, id: string, value: string): Promise<void>;
  setMode(session: string, mode: string): Promise<void>;
  /** Sets the model by the older request of the protocol, which Gemini still uses. */
  setModel(session: string, model: string): Promise<void>;
  setTitle(session: string, title: string): Promise<void>;
  /** Resolves when the turn has ended. There is no time limit. */
  prompt(session: string, blocks: readonly PromptBlock[]): Promise<PromptEnd>;
  /** Uses the steering extension. Gives `false` if no turn was running and the agent did not take the text. */
  steer(session: string, blocks: readonly PromptBlock[]): Promise<boolean>;
  /** Asks the agent to end the current turn. Its prompt then resolves as `cancelled`. */
  cancel(session: string): Promise<void>;
  /** Closes the session if the agent supports that; the agent stays. */
  leave(session: string): Promise<void>;
  /** Closes the session if the agent supports that, and ends its stdin. Resolves once both are requested, not when the agent is gone. */
  close(session: string | null): Promise<void>;
}

export interface PromptEnd {
  readonly stop: StopReason;
  /** `null` if the agent does not report them. */
  readonly tokens: TokenCount | null;
}

export interface AgentAbout {
  readonly version: string | null;
  readonly canLoad: boolean;
  readonly canResume: boolean;
  readonly canClose: boolean;
  /** The agent takes MCP servers over HTTP. */
  readonly takesHttpTools: boolean;
  readonly steers: boolean;
}

export interface SessionRequest {
  /** Absolute. */
  readonly cwd: string;
  readonly tools: readonly ToolServer[];
  readonly earlier: { readonly id: string; readonly method: 'load' | 'resume' } | null;
  /** `_meta`, for agents that read it. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** An MCP server over HTTP for the agent. */
export interface ToolServer {
  readonly name: string;
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

export interface OpenedSession {
  readonly id: string;
  readonly mode: string | null;
  readonly modes: readonly string[];
  /** `null` and none where the agent offers its models as an option, or not at all. */
  readonly model: string | null;
  readonly models: readonly string[];
  readonly options: readonly ConfigOption[];
}

/** The parts of a prompt: text and links to files. */
export type PromptBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string };

/** Handlers for what the agent sends between our calls. */
export interface LinkListener {
  readonly started: (process: { readonly pid: number; readonly startTime: string }) => void;
  readonly update: (session: string, update: AgentUpdate) => void;
  /** Gives the chosen option's id, or `null` if the request ended without an answer. `over` aborts when the agent withdraws it. */
  readonly permission: (request: PermissionRequest, over: AbortSignal) => Promise<string | null>;
  /** Answers a form for a person. `over` aborts when the agent withdraws it. */
  readonly elicit: (form: Elicitation, over: AbortSignal) => Promise<ElicitationAnswer>;
  /** Gives the text of waiting messages to an agent that asks for them while it works. Empty: none wait. */
  readonly pull: () => Promise<readonly string[]>;
  /** Receives the agent's log, and stdout lines that are no messages. */
  readonly log: (bytes: Uint8Array) => void;
}

/** A `session/request_permission` with its tool call as the agent describes it there. */
export interface PermissionRequest {
  readonly session: string;
  /** Unparsed: `toolPatchSchema` reads it. */
  readonly toolCall: unknown;
  readonly options: readonly PermissionOption[];
}

export interface PermissionOption {
  readonly id: string;
  readonly kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always';
}
