/** A piece of a reply of the model, in the words of no vendor. */
export type Part =
  /** One chunk of text on the wire. */
  | { readonly text: string }
  /**
   * A tool call. `tool` is the name the agent declared, or its end: `task_update` finds `mcp_ralph_task_update` and the tool of that name
   * in the namespace `mcp__ralph`.
   */
  | {
      readonly tool: string;
      /** In a text, `{cwd}` is the directory that the agent tells its model it works in, and `{directory}` the last one that `task_claim` named. */
      readonly arguments: Readonly<Record<string, unknown>>;
      /** The agent keeps it behind a search, and takes a call without one. */
      readonly hidden?: true;
      /** The id of the call, which models on small servers use again. Absent: unique in a run. Gemini sends none. */
      readonly id?: string;
    }
  /**
   * Looks for the tool of this name, which the agent keeps back until it is searched for (Codex does so with the tools of MCP servers), again and again
   * until the agent has found it.
   */
  | { readonly search: string }
  /** Like `tool`, for a tool that takes free text (Codex: `apply_patch`). */
  | { readonly tool: string; readonly input: string }
  /** Nothing more is sent until the test releases this name, or the agent hangs up. */
  | { readonly hold: string };

/** What one request is answered with. */
export type Step =
  | {
      /** A text that must stand in what is new in the request: the prompt, the results of the tools. Where it is missing, the test finds it in `problems`. */
      readonly expects?: string;
      readonly reply: readonly Part[];
    }
  | {
      readonly expects?: string;
      /** An HTTP status: 401, 429, 500. */
      readonly fail: number;
    };

/**
 * One conversation: every request that holds all these texts anywhere takes the next of its steps. Lanes are tried in order, and one that
 * has no step left is passed over: a later lane with the same texts goes on.
 */
export interface Lane {
  readonly name: string;
  readonly when: readonly string[];
  readonly steps: readonly Step[];
}

/** The wire formats of Gemini, of OpenAI's Responses and Chat Completions, and of Anthropic's Messages. */
export type DialectName = 'gemini' | 'responses' | 'chat-completions' | 'messages';

/** A request as the test sees it. */
export interface ModelRequest {
  /** When its last byte was read, ms since 1970. */
  readonly at: number;
  readonly dialect: DialectName;
  /**
   * `side`: a title, a summary, a check of the agent's own; it uses up no step. `again`: its search found nothing, and the reply is the same search.
   * `unexpected`: no lane had a step for it.
   */
  readonly kind: 'step' | 'side' | 'again' | 'unexpected';
  readonly lane: string | null;
  /** Of the lane, from 0. */
  readonly step: number;
  /** What is new in it: all since the model's last reply. */
  readonly latest: string;
  /** Every text of the conversation, the instructions included. */
  readonly whole: string;
  readonly tools: readonly DeclaredTool[];
  readonly path: string;
  /** The agent hung up before the reply was complete. */
  hungUp: boolean;
}

export interface DeclaredTool {
  readonly name: string;
  /** Of the Responses API: MCP tools stand in one. */
  readonly namespace?: string;
  /** It takes free text and no JSON. */
  readonly free?: boolean;
}
