import type { Part } from '../../helpers/model-server/script.ts';

/** A coding agent as the tests install, start and understand it. */
export interface RealAgent {
  /** Of its profile. */
  readonly name: AgentName;
  /** What is installed, exactly: a range would test another agent every week. */
  readonly packages: Readonly<Record<string, string>>;
  /** For `npm install`. */
  readonly flags: readonly string[];
  /** Relative to the folder of its installation. A `.js` runs in node. */
  readonly entry: string;
  readonly args: readonly string[];
  /** Not in CI: only who asks for it installs it. */
  readonly optIn?: true;
  /** Writes the settings into a fresh home and gives the environment that points the agent to a model on this URL. */
  readonly settle: (home: string, modelUrl: string) => Readonly<Record<string, string>>;
  readonly hand: Hand;
  /** It ends its turn at a rejection; others go on. */
  readonly endsAtRejection: boolean;
  /** The kind of the call in which it asks to use a tool of a server. `null`: it does not ask. */
  readonly toolAsk: string | null;
  /** How a message reaches it while it works and calls our tools. */
  readonly reachedBy: string;
  /** What it reports of tokens and cost. */
  readonly usage: RegExp;
}

export type AgentName = 'gemini' | 'codex' | 'claude' | 'opencode' | 'qwen';

/** The same intention in the tools of each agent. A workspace of '' leaves paths relative: to where the agent works. */
export interface Hand {
  /** Runs a command outside the agent's sandbox, so that it has to ask. */
  readonly shell: (command: string) => Part;
  /** Runs a command that must not write; Codex does not ask then. */
  readonly look: (command: string) => Part;
  /** Reads a file; `why` makes each call another one. */
  readonly read: (workspace: string, path: string, why: string) => Part;
  /** Fetches a page, by a tool of its own where it has one. */
  readonly fetch: (url: string) => Part;
  /** Replaces the one line of a file, one part a reply: some agents refuse to edit a file that they have not read. */
  readonly edit: (workspace: string, path: string, was: string, becomes: string) => readonly Part[];
  readonly create: (workspace: string, path: string, line: string) => Part;
  /** Calls a tool of our MCP server, one part a reply: some agents search for it first. */
  readonly ours: (tool: string, input: Readonly<Record<string, unknown>>) => readonly Part[];
}
