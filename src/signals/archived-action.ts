import type { Handling } from './mailbox.ts';

/** The form of `action_taken` in files and in `signals list --json`: `undelivered: the session ended` (src/signals/README.md, rule 9). */
export const archivedAction = ({
  outcome,
  action_taken,
}: Pick<Handling, 'outcome' | 'action_taken'>): string => `${actionPrefixes[outcome]}${action_taken}`;

/** The prefix of the action in a file, which shows the outcome to people. */
export const actionPrefixes = {
  handled: '',
  delivered: 'delivered: ',
  undelivered: 'undelivered: ',
  withdrawn: '',
} as const;
