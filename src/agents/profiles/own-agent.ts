import { z } from 'zod';
import { isForbiddenVariable } from '../../base/process/forbidden-variable.ts';
import { placesSchema } from '../../tasks/task.ts';

/** What a person may say of an agent of their own, whatever it speaks (src/session/README.md, Configuration). */
export const ownAgentFields = {
  label: z.string().min(1).optional(),
  /** Variables for the agent beside the usual ones, by value. */
  env: z
    .record(z.string(), z.string())
    .refine((env) => !Object.keys(env).some(isForbiddenVariable), {
      error: 'must not set a variable that makes other programs run arbitrary code',
    })
    .default({}),
  /** Variables copied from the program's own environment, e.g. API keys. */
  pass_env: z.array(z.string()).readonly().default([]),
  /** The agent that takes over when this one's quota is used up. */
  fallback: z.string().min(1).optional(),
  /** The runners that it works on, first choice first. */
  on: placesSchema.optional(),
};
