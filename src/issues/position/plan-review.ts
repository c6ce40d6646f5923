import type { PlanReview } from './phase.ts';

const modes: Readonly<Record<string, PlanReview>> = { interactive: 'human', auto: 'auto', skip: 'skip' };

/**
 * Who reviews plans: `RALPH_REVIEW_MODE` (interactive, auto, skip) of the person's own environment over the setting `flow.plan_review`. With
 * `RALPH_AUTO_APPROVE=true` the validator's approval is enough where a person would be asked; with `false` a person is asked.
 */
export const planReviewOf = (
  setting: PlanReview,
  env: Readonly<Record<string, string | undefined>>,
): PlanReview => {
  const mode = modes[env['RALPH_REVIEW_MODE'] ?? ''] ?? setting;
  const approves = env['RALPH_AUTO_APPROVE'];
  if (approves === 'true' && mode === 'human') return 'auto';
  return approves === 'false' && mode === 'auto' ? 'human' : mode;
};
