import { z } from 'zod';
import { commitId, invocationId, repositoryId } from './fields.ts';

/** Work that a runner finished or stopped while no host was there. Its commit is in the copy of the repository. */
export const lateSchema = z.object({
  session: z.string().regex(/^[\w.-]{1,100}$/u),
  invocation: invocationId,
  task: z.string().max(200).optional(),
  attempt: z.number().int().optional(),
  repository: repositoryId,
  base: commitId,
  commit: commitId,
  /** When it was stopped, ISO 8601. */
  at: z.string().max(40),
});
export type Late = z.infer<typeof lateSchema>;
