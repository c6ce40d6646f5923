import type { Fault } from '../base/fault.ts';

/** What is wrong with a skill. One with an `error` is not used; a `warning` only says what has no effect or could be better. */
export interface SkillProblem extends Fault {
  readonly severity: 'error' | 'warning';
}

export const error = (code: string, where: string, what: string, hint?: string): SkillProblem => ({
  severity: 'error',
  code,
  where,
  what,
  ...(hint === undefined ? {} : { hint }),
});

export const warning = (code: string, where: string, what: string, hint?: string): SkillProblem => ({
  ...error(code, where, what, hint),
  severity: 'warning',
});

export const isRefused = (problems: readonly SkillProblem[]): boolean =>
  problems.some(({ severity }) => severity === 'error');
