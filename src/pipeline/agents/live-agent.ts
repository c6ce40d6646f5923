import type { AgentIdentity, AgentUsage, Reach } from '../../agents/agent-facts.ts';

/** The agent of an invocation, from its own reports. `Invocation.agent` is `null` where commands do the work. */
export interface LiveAgent {
  /** The program that was started. */
  readonly program: string;
  /** Of its processes; `null` where no agent was started. */
  readonly marker: string | null;
  /** Names of variables with a login that it did not get. */
  readonly withheld: readonly string[];
  readonly pid: number | null;
  readonly label: string;
  readonly version: string | null;
  /** The agent's own id of its session; `null` until it connects. */
  readonly session: string | null;
  readonly began: AgentIdentity['began'];
  readonly model: string | null;
  readonly mode: string | null;
  readonly reach: Reach;
  /** The vendor's command that opens the session elsewhere. */
  readonly resumeCommand: string | null;
  /** Tokens used in its context, and its size. */
  readonly context: { readonly used: number; readonly size: number } | null;
  readonly cost: AgentUsage['cost'] | null;
  readonly compactions: number;
  readonly prompts: number;
  /** True while a prompt is being answered. */
  readonly replying: boolean;
  /** Number of tool calls that ended. */
  readonly tools: number;
  /** The newest running tool call. */
  readonly tool: { readonly call: string; readonly title: string; readonly since: string } | null;
}

/** An agent that was started and has reported nothing yet. */
export const unconnectedAgent: LiveAgent = {
  program: '',
  marker: null,
  withheld: [],
  pid: null,
  label: '',
  version: null,
  session: null,
  began: 'new',
  model: null,
  mode: null,
  reach: 'turn-end',
  resumeCommand: null,
  context: null,
  cost: null,
  compactions: 0,
  prompts: 0,
  replying: false,
  tools: 0,
  tool: null,
};
