import { isComplete } from '../../src/session/status.ts';
import type { ViewState } from '../view.ts';
import type { Attempt } from './attempt-history.ts';

/** The session ended, or no program is running it: no agent works, also where the journal holds no end of its work. */
export const isAtRest = ({ session, connection }: Pick<ViewState, 'session' | 'connection'>): boolean =>
  connection === 'stopped' || (session !== null && isComplete(session));

/** The attempts of a task, the first one first. In a session at rest the last one was cut off. */
export const selectAttempts = (view: ViewState, task: string): readonly Attempt[] => {
  const attempts = view.attempts.of(task);
  if (!isAtRest(view)) return attempts;
  return attempts.map((each) => (each.outcome === 'running' ? { ...each, outcome: 'interrupted' } : each));
};
