import { z } from 'zod';

/** What a device may do, each with all before it: look, steer the work, decide as a person at a screen. */
export const scopeSchema = z.enum(['watch', 'steer', 'approve']);
export type Scope = z.infer<typeof scopeSchema>;

export const scopes: readonly Scope[] = scopeSchema.options;

/** Whether `own` covers `needed`. */
export const covers = (own: Scope, needed: Scope): boolean => scopes.indexOf(own) >= scopes.indexOf(needed);

/** The scope of a device in a session: `approve` counts only once a key on a screen of that session has confirmed the device. */
export const scopeIn = (paired: Scope, isConfirmed: boolean): Scope => {
  if (paired === 'watch') return 'watch';
  return isConfirmed ? 'approve' : 'steer';
};

export const scopeWords: Readonly<Record<Scope, string>> = {
  watch: 'may only watch',
  steer: 'may steer: messages, pause, retry, answers to agents',
  approve: 'may also approve: gates, reviews, permissions, cancel, abort',
};
