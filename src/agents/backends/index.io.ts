import type { Backend } from '../port.ts';
import { commandAgentSchema, createCommandBackend } from './command/create-command-backend.ts';
import { createScriptBackend } from './script/create-script-backend.ts';
import type { ScriptDeps } from './script/script-turn.ts';

/**
 * Every backend this program knows, in the order users see them: the one that needs nothing, then the agents of the configuration (`agents.<name>`). An
 * entry of another type is passed over here; `config check` says what is wrong with it.
 */
export const createBackends = (
  deps: ScriptDeps,
  agents: Readonly<Record<string, unknown>> = {},
): readonly Backend[] => [
  createScriptBackend(deps),
  ...Object.entries(agents).flatMap(([name, entry]) => {
    const agent = commandAgentSchema.safeParse(entry);
    return agent.success && name !== 'script' ? [createCommandBackend(deps, name, agent.data)] : [];
  }),
];
