import { z } from 'zod';

const entrySchema = z.object({ fallback: z.string() });

/**
 * The agents that may do an agent's work while its quota is used up, in order: `agents.<name>.fallback`, then that one's, and so on. Each appears
 * once, so that two agents may name each other. The agent itself is none of them.
 */
export const fallbacksOf = (agents: Readonly<Record<string, unknown>>, name: string): readonly string[] => {
  const seen = new Set([name]);
  let at = name;
  for (;;) {
    const next = fallbackOf(agents, at);
    if (next === undefined || seen.has(next)) return [...seen].slice(1);
    seen.add(next);
    at = next;
  }
};

/** `agents.<name>.fallback`. */
export const fallbackOf = (agents: Readonly<Record<string, unknown>>, name: string): string | undefined =>
  Object.hasOwn(agents, name) ? entrySchema.safeParse(agents[name]).data?.fallback : undefined;
