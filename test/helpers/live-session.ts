import { createAcpBackend } from '../../src/agents/backends/acp/create-acp-backend.ts';
import { type AgentProfile, unknownAgent } from '../../src/agents/profiles/profile.ts';
import type { AgentTools, ToolCalls } from '../../src/agents/tools.ts';
import { createSimulatedSession, type SessionOptions } from './engine-session.ts';
import {
  createInProcessAgents,
  type InProcessAbilities,
  type InProcessAgents,
  type PromptHandler,
} from './in-process-agent.ts';
import { createSimulatedSpawn } from './simulated-spawn.ts';

// Loading the SDK takes real time, which a clock that the test moves does not give it.
await import('../../src/agents/backends/acp/connect.io.ts');

/** One task, done by the agent of the test. */
export const livePlan = `goal: Hold
settings: {planning: {max_cycles: 0}, roles: {executor: in-process}}
tasks:
  - {id: one, title: The only task, files: [one.txt], criteria: [it is there], run: [], verify: [check]}
`;

/** The agent's answer when its task is done. */
export const liveDone = '{"status": "completed", "summary": ["done"], "files_modified": ["one.txt"]}';

export interface LiveOptions
  extends InProcessAbilities,
    Partial<Pick<SessionOptions, 'plan' | 'attended' | 'settings'>> {
  /** Our tools as the agent gets them. */
  readonly tools?: AgentTools;
  /** What is known about the agent. */
  readonly profile?: Partial<AgentProfile>;
}

/** A session whose Executor is an agent of the SDK in this process, on a clock that the test moves. */
export const createLiveSession = (handle: PromptHandler, options: LiveOptions = {}) => {
  const { tools, plan = livePlan, attended = false, settings = {}, profile: known, ...abilities } = options;
  let agents: InProcessAgents | null = null;
  const session = createSimulatedSession({
    plan,
    attended,
    instructions: (mode) => `# ${mode}`,
    settings: { ...settings, roles: { executor: 'in-process' } },
    program: () => ({ effect: () => session.disk.put('/work/one.txt', 'done') }),
    livingBackends: (clock) => {
      agents = createInProcessAgents(createSimulatedSpawn({ clock }), handle, abilities);
      const named = { name: 'in-process', label: 'In-process', command: ['in-process'] };
      const profile = { ...unknownAgent, ...known, ...named };
      const { disk } = session;
      return [
        createAcpBackend(
          { disk, spawn: agents.spawn, clock, env: {}, version: 'test', ...(tools ? { tools } : {}) },
          profile,
        ),
      ];
    },
  });
  return {
    session,
    /** Every prompt that came, in order: with a real model each would be a request. */
    prompts: () => agents?.prompts ?? [],
    running: () => agents?.running() ?? 0,
    /** Moves the clock until it is true. */
    until: async (fits: () => boolean): Promise<void> => {
      for (let step = 0; !fits(); step += 1) {
        if (step > 2_000) throw new Error(JSON.stringify(session.events.slice(-5)));
        await session.clock.advanceAsync(50);
      }
    },
  };
};

/** Our tools without a server: the agent of the test calls what the worker lends them. */
export const createLentTools = () => {
  let lent: ToolCalls | null = null;
  const tools: AgentTools = {
    open: async (calls) => {
      lent = calls;
      return { name: 'ralph', url: 'http://127.0.0.1:9/mcp', token: 'x', close: () => {} };
    },
    close: async () => {},
  };
  return {
    tools,
    calls: (): ToolCalls => {
      if (lent === null) throw new Error('the tools were not opened yet');
      return lent;
    },
  };
};
