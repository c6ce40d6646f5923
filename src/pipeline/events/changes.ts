import { z } from 'zod';
import { attempt, invocation, task } from './fields.ts';

/** What becomes of the changes of an attempt. */
export const changesEvents = [
  /** The Reviewer qualified the attempt, and a person decides next. */
  z.object({ type: z.literal('review.passed'), task, attempt, invocation }),
] as const;

export type ChangesEventType = z.infer<(typeof changesEvents)[number]>['type'];
