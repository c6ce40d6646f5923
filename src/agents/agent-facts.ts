/**
 * What an agent reports while it works on its own (src/agents/README.md, ACP flow, step 5). The engine turns each fact into an event of the same name. Backends
 * keep facts few and short, because the journal stores every one.
 */
export type AgentFact =
  /** The intent, written before the process exists. */
  | {
      readonly type: 'agent.launched';
      readonly program: string;
      /** Names of variables with a login that the agent does not get. */
      readonly withheld?: readonly string[];
      /** Of its processes, where another invocation started them. */
      readonly marker?: string;
      /** It waits for work that is expected, and is not the agent of this one. */
      readonly ahead?: true;
    }
  | ({ readonly type: 'agent.connected' } & AgentIdentity)
  | { readonly type: 'agent.process-started'; readonly pid: number; readonly start_time: string }
  | { readonly type: 'agent.mode-changed'; readonly mode: string }
  | ({ readonly type: 'agent.usage-reported' } & AgentUsage)
  | { readonly type: 'agent.context-compacted' }
  | {
      readonly type: 'prompt.sent';
      /** Counts from 0 in one invocation. */
      readonly index: number;
      readonly why: PromptReason;
    }
  | {
      readonly type: 'reply.ended';
      readonly index: number;
      readonly stop: StopReason | 'lost';
      readonly duration_ms: number;
      /** Missing if the agent does not report them. */
      readonly tokens?: TokenCount;
    }
  | ({ readonly type: 'tool.started' } & ToolSighting)
  | {
      readonly type: 'tool.ended';
      readonly call: string;
      readonly ok: boolean;
      /** It was not carried out: a person, the preset or the guidance refused it. */
      readonly refused?: true;
      /** It was not carried out either: the reply ended while it waited for an answer. */
      readonly unanswered?: true;
      /** The new title, if the call began with a worse one. */
      readonly title?: string;
      readonly changes: readonly FileChange[];
      readonly duration_ms: number;
    }
  | {
      readonly type: 'thought.noted';
      /** The first 2,000 characters at most. */
      readonly text: string;
      /** The length of the whole thought. */
      readonly characters: number;
    }
  | { readonly type: 'agent-plan.noted'; readonly entries: readonly PlanEntry[] }
  | {
      readonly type: 'message.arrived';
      /** The signal's id. */
      readonly id: string;
      readonly way: MessageWay;
      /** For people, e.g. "through its steering extension at 14:30:05". */
      readonly detail: string;
    }
  /** A model request could carry the message: before that the agent may still lose it with its reply. */
  | { readonly type: 'message.carried'; readonly id: string };

/** The agent's name and abilities, from `initialize` and `session/new`. */
export interface AgentIdentity {
  readonly label: string;
  readonly version?: string;
  /** The agent's own id of its session. */
  readonly session: string;
  /** `loaded` and `resumed`: the session is an older one. */
  readonly began: 'new' | 'loaded' | 'resumed';
  readonly model?: string;
  readonly mode?: string;
  /** How a message reaches the agent while it works. */
  readonly reach: Reach;
  /** The vendor's command that opens the session outside this program. */
  readonly resume_command?: string;
}

/** The fastest way for a message to reach a working agent (src/agents/README.md, Signals on a running agent). */
export const reaches = [
  'steering',
  'cutting-steering',
  'second-prompt',
  'pull',
  'tool-result',
  'turn-end',
] as const;
export type Reach = (typeof reaches)[number];

/** How a message reached its reader. `command`: in the environment of a command; `document`: in the plan that code writes. */
export const messageWays = ['injected', 'tool-result', 'prompt', 'command', 'document'] as const;
export type MessageWay = (typeof messageWays)[number];

/** Whether the words are with their reader for good. An agent may still lose the others with its reply, until `message.carried`. */
export const carries = (way: MessageWay): boolean => way !== 'injected' && way !== 'tool-result';

/** Why a prompt was sent: the turn itself, waiting messages, the end of a hold, or an answer that did not fit. */
export type PromptReason = 'ask' | 'messages' | 'resume' | 'repair';

/** ACP's stop reasons. `end_turn` is not success. */
export type StopReason = 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled';

export interface AgentUsage {
  /** Tokens in the context now, and the context's size. */
  readonly used: number;
  readonly size: number;
  /** What the agent's session has cost so far. */
  readonly cost?: { readonly amount: number; readonly currency: string };
}

/** Tokens that one prompt and its reply used, over all of the agent's model requests for it. `input` holds what came from a cache, too. */
export interface TokenCount {
  readonly input: number;
  readonly output: number;
}

/** ACP's kinds of tools. Unknown kinds become `other`. */
export const toolKinds = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
] as const;
export type ToolKind = (typeof toolKinds)[number];

/** A tool call when it began. */
interface ToolSighting {
  /** Unique in the invocation. */
  readonly call: string;
  readonly title: string;
  readonly kind: ToolKind;
  /** Files of the call, 20 at most: absolute or as the agent gave them. */
  readonly paths: readonly string[];
  /** For calls of a sub-agent: the call that started it. */
  readonly parent?: string;
}

/** The effect of one edit on a file, in lines. */
export interface FileChange {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  /** Its first lines as `-old` and `+new`, for people. Missing in older journals. */
  readonly start?: string;
}

export interface PlanEntry {
  readonly text: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}
