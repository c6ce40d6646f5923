import { type Context, readRefs, refuse } from '../context.ts';
import { readHistory } from '../git/history.ts';
import { shortBranch } from '../git/ref-names.ts';
import type { Step } from '../memory.ts';
import { refuseMoved } from '../own-refs.ts';
import type { Attempt } from '../port.ts';

/** The session's branch as it is now. */
export interface Branch {
  readonly refs: ReadonlyMap<string, string>;
  readonly base: string;
  readonly tip: string;
  readonly steps: readonly Step[];
}

/** Reads the session's branch and what happened on it. */
export const readBranch = async (context: Context, attempt: Attempt | null = null): Promise<Branch> => {
  await refuseMoved(context);
  const refs = await readRefs(context, attempt);
  const base = refs.get(context.names.base);
  const tip = refs.get(context.names.branch);
  if (base === undefined || tip === undefined)
    throw refuse(
      'no-branch',
      `the branch ${shortBranch(context.names.branch)} of this session no longer exists`,
      {
        hint: 'recover it with `git reflog`, or start a new session',
      },
    );
  return { refs, base, tip, steps: await readHistory(context, base, tip) };
};

/** Whether a step is about the attempt. */
export const isOf = (step: Attempt, { task, attempt }: Attempt): boolean =>
  step.task === task && step.attempt === attempt;
