import type { Backend } from '../port.ts';
import { acpProfiles } from '../profiles/acp-profiles.ts';
import type { AgentTools } from '../tools.ts';
import { createAcpBackend } from './acp/create-acp-backend.ts';
import { createWarmAgents } from './acp/warm/warm-agents.ts';
import { commandAgentSchema, createCommandBackend } from './command/create-command-backend.ts';
import type { ProgramDeps } from './program-deps.ts';
import { createScriptBackend } from './script/create-script-backend.ts';
import { withCodeTurns } from './with-code-turns.ts';

interface BackendDeps extends ProgramDeps {
  /** This program's version, sent to agents. */
  readonly version?: string;
  /** Agents may wait for the next work that would start the same. */
  readonly warm?: true;
  /** Our tools for agents that speak ACP. */
  readonly tools?: AgentTools;
}

/**
 * Every known backend, in the order users see them: `script`, which needs nothing; the agents with a built-in profile; then the agents of the
 * configuration (`agents.<name>`), which may replace a profile. Ignores entries of other types: `config check` reports those.
 */
export const createBackends = (
  deps: BackendDeps,
  agents: Readonly<Record<string, unknown>> = {},
): readonly Backend[] => {
  const script = createScriptBackend(deps);
  const { warm, ...rest } = deps;
  const own = warm ? { ...rest, warm: createWarmAgents(deps) } : rest;
  const agentsWithModels = [
    ...acpProfiles(agents).map((profile) =>
      createAcpBackend({ ...own, version: deps.version ?? 'unknown' }, profile),
    ),
    ...Object.entries(agents).flatMap(([name, entry]) => {
      const agent = commandAgentSchema.safeParse(entry);
      return agent.success && name !== 'script' ? [createCommandBackend(deps, name, agent.data)] : [];
    }),
  ];
  return [script, ...agentsWithModels.map((agent) => withCodeTurns(agent, script))];
};
