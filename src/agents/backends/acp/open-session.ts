import { z } from 'zod';
import type { AgentAbout, OpenedSession, SessionRequest } from './link.ts';
import { parseOptions } from './updates.ts';

/** Sends one request and reads its answer. Rejects with a `FaultError`, also if the agent ends first. */
export type Call = <T>(method: string, params: unknown, schema: z.ZodType<T>) => Promise<T>;

const openedSchema = z.looseObject({
  sessionId: z.string().optional(),
  modes: z
    .object({ currentModeId: z.string(), availableModes: z.array(z.object({ id: z.string() })) })
    .nullish()
    .catch(null),
  // Not in the protocol's stable part: Gemini 0.61.0 sends it.
  models: z
    .object({ currentModelId: z.string(), availableModels: z.array(z.object({ modelId: z.string() })) })
    .nullish()
    .catch(null),
  configOptions: z.unknown().optional(),
});

/** Opens a session of the agent: the earlier one by the method that works with this agent, else a new one. */
export const openSession = async (
  call: Call,
  about: AgentAbout,
  { cwd, tools, earlier, meta }: SessionRequest,
): Promise<OpenedSession> => {
  const mcpServers = about.takesHttpTools ? tools.map((tool) => ({ type: 'http', ...tool })) : [];
  const place = { cwd, mcpServers, ...(meta === undefined ? {} : { _meta: meta }) };
  const { sessionId, modes, models, configOptions } = earlier
    ? await call(`session/${earlier.method}`, { ...place, sessionId: earlier.id }, openedSchema)
    : await call('session/new', place, openedSchema);
  return {
    id: earlier?.id ?? sessionId ?? '',
    mode: modes?.currentModeId ?? null,
    modes: modes?.availableModes.map(({ id }) => id) ?? [],
    model: models?.currentModelId ?? null,
    models: models?.availableModels.map(({ modelId }) => modelId) ?? [],
    options: parseOptions(configOptions),
  };
};
