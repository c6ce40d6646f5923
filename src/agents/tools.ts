import type { Brief, Directive, Message, SessionTools } from './port.ts';
import type { TaskUpdate } from './tool-inputs.ts';

/** The names of our tools, in the order agents see them. */
export const toolNames = [
  'check_signals',
  'task_get',
  'task_list',
  'task_update',
  'ask_person',
  'stage_knowledge',
] as const;

/**
 * Our tools for agents (src/agents/README.md, "Our MCP tools for agents"). The backend opens them for one worker, and its agent calls them. Implementation:
 * `mcp/create-tool-server.io.ts`. The engine knows nothing of them.
 */
export interface AgentTools {
  /** Opens one worker's tools and starts the server with the first. Rejects with a `FaultError` if no loopback port can be opened. */
  open(calls: ToolCalls): Promise<OpenTools>;
  /** Ends every worker's tools and the server. Resolves when its port is closed. */
  close(): Promise<void>;
}

/** The data of an MCP server of type `http`, which a worker passes to its agent. */
export interface OpenTools {
  /** `ralph`. Agents show it before the names of the tools. */
  readonly name: string;
  /** `http://127.0.0.1:PORT/mcp` */
  readonly url: string;
  /** For the header `Authorization: Bearer …`. Valid for this worker alone, until `close`. */
  readonly token: string;
  /** Invalidates the token before it returns. Waiting calls end at once. */
  close(): void;
}

/** The calls available to one worker's tools. Its backend builds them over the engine's services (`BackendHost`). */
export interface ToolCalls extends Omit<SessionTools, 'note'> {
  readonly brief: Brief;
  /** The agent has asked for the list of tools. */
  listed?(): void;
  /** Passes the turn's boundary for one tool result, which carries its messages. Between turns it gives `go` without messages. */
  boundary(): Promise<Directive>;
  /** Reports messages whose result was sent. The engine records them as delivered by "tool-result". */
  reached(messages: readonly Message[]): void;
  /** Reports messages whose result never reached the agent. Its next prompt carries them. */
  missed(messages: readonly Message[]): void;
  /** Resolves when a hold begins or the worker is stopped; at once if it is held already. Never rejects. */
  held(): Promise<void>;
  /** Resolves when the hold ends or the worker is stopped; at once if neither is pending. Never rejects. */
  released(): Promise<void>;
  /** Takes an update. A valid outcome is the turn's result until a later one. */
  update(update: TaskUpdate): UpdateAnswer;
}

type UpdateAnswer =
  | { readonly kind: 'noted' }
  /** The outcome fits the contract of the turn. */
  | { readonly kind: 'accepted' }
  /** The outcome breaks the contract. `wrong` names each field with its allowed values. */
  | { readonly kind: 'refused'; readonly wrong: readonly string[] };
