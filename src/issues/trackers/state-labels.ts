import { type Estimate, estimateNamed, type Issue } from '../issue.ts';
import { type IssueState, issueStateSchema, isTerminal, stateNamed, stateSlug } from '../state.ts';
import type { IssueChange } from './tracker.ts';

/** Trackers without states and sizes of their own carry them as labels: `state:in-review`, `estimate:s`. */
const stateLabel = (state: IssueState): string => `state:${stateSlug(state)}`;
const estimateLabel = (estimate: Estimate): string => `estimate:${estimate.toLowerCase()}`;

interface LabelledFacts {
  readonly state: IssueState;
  readonly estimate: Estimate | null;
  /** The labels that are not ours. */
  readonly labels: readonly string[];
  /** A state label that names no state: the issue then needs a person. */
  readonly unknown: string | null;
}

/** Reads the state of an open issue and its size from its labels. Of several states the last one in the order of the work counts. */
export const factsFromLabels = (labels: readonly string[]): LabelledFacts => {
  const named = labels
    .filter((label) => label.startsWith('state:'))
    .map((label) => label.slice('state:'.length));
  const states = named.flatMap((name) => stateNamed(name) ?? []).filter((state) => !isTerminal(state));
  const unknown = named.find((name) => stateNamed(name) === null) ?? null;
  const size = labels.find((label) => label.startsWith('estimate:'))?.slice('estimate:'.length);
  return {
    state:
      unknown !== null
        ? 'Human Needed'
        : (issueStateSchema.options.findLast((state) => states.includes(state)) ?? 'Backlog'),
    estimate: size === undefined ? null : estimateNamed(size),
    labels: labels.filter((label) => !/^(?:state|estimate):/.test(label)),
    unknown,
  };
};

/** The labels to add and to remove for a change. Closed issues keep no state label. */
export const labelChanges = (
  now: readonly string[],
  { state, estimate }: Pick<IssueChange, 'state' | 'estimate'>,
): { readonly add: readonly string[]; readonly remove: readonly string[] } => {
  const wanted = [
    ...(state === undefined || isTerminal(state) || state === 'Backlog' ? [] : [stateLabel(state)]),
    ...(estimate === undefined ? [] : [estimateLabel(estimate)]),
  ];
  const replaced = [
    ...(state === undefined ? [] : ['state:']),
    ...(estimate === undefined ? [] : ['estimate:']),
  ];
  return {
    add: wanted.filter((label) => !now.includes(label)),
    remove: now.filter(
      (label) => replaced.some((prefix) => label.startsWith(prefix)) && !wanted.includes(label),
    ),
  };
};

/** The lock of an issue whose tracker only tells that somebody works on it. */
export const foreignLock = (since: string): NonNullable<Issue['lock']> => ({ holder: null, since });
