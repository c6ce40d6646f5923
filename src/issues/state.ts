import { z } from 'zod';

/** The states of an issue in the order of the work; the last two are outside of it (src/issues/README.md, States). */
export const issueStateSchema = z.enum([
  'Backlog',
  'Research Needed',
  'Research in Progress',
  'Ready for Plan',
  'Plan in Progress',
  'Plan in Review',
  'In Progress',
  'In Review',
  'Done',
  'Human Needed',
  'Canceled',
]);
export type IssueState = z.infer<typeof issueStateSchema>;

/** The states in which a session holds the issue. */
const lockedStates = ['Research in Progress', 'Plan in Progress', 'In Progress'] as const;

export const isLockedState = (state: IssueState): state is (typeof lockedStates)[number] =>
  lockedStates.some((locked) => locked === state);

/** Whether no work is left. Neither of these blocks an issue or connects two. */
export const isTerminal = (state: IssueState): boolean => state === 'Done' || state === 'Canceled';

/** The place of a state in the order of the work, from 0; Human Needed and Canceled come last. */
export const stateRank = (state: IssueState): number => issueStateSchema.options.indexOf(state);

const keyOf = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-')
    .replace('cancelled', 'canceled');

const byKey = new Map(issueStateSchema.options.map((state) => [keyOf(state), state]));

/** The state of a name in any case, with spaces, `-` or `_`: `in-progress` is In Progress. `null` for an unknown name. */
export const stateNamed = (name: string): IssueState | null =>
  byKey.get(name) ?? byKey.get(keyOf(name)) ?? null;

/** The form for labels and front matter: `in-progress`. */
export const stateSlug = (state: IssueState): string => keyOf(state);
