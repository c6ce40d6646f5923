import { FaultError } from '../../base/fault.ts';
import type { IssueId } from '../../issues/issue.ts';
import { type IssueIndex, indexIssues } from '../../issues/issue-index.ts';
import { pendingRollUps } from '../../issues/roll-up.ts';
import { type IssueState, isLockedState } from '../../issues/state.ts';
import { type Intent, stateAfter } from '../../issues/transitions.ts';
import type { Moved } from '../../pipeline/modes/flow/flow-state.ts';
import {
  answered,
  answeredFor,
  changeIssue,
  type FlowContext,
  flowOf,
  movedFrom,
  showIssue,
} from './flow-context.ts';

/** The states that an issue passes from `start` by some intents, `start` first. */
export const routeOf = (start: IssueState, ...intents: readonly Intent[]): readonly IssueState[] => {
  const route: IssueState[] = [start];
  for (const intent of intents) route.push(answered(stateAfter(route.at(-1) ?? start, intent)));
  return route;
};

/**
 * Brings issues to the end of a route. One that is there already, or that a person moved off the route, stays: so a step that a crash cut off is taken
 * again without harm, and a person's word counts. The lock ends with the locked states.
 */
export const moveAlong = async (
  context: FlowContext,
  issues: readonly IssueId[],
  route: readonly IssueState[],
): Promise<readonly Moved[]> => {
  const to = route.at(-1);
  const moved: Moved[] = [];
  for (const id of issues) {
    const { after } = await changeIssue(context, id, ({ state, lock }) => {
      const at = route.indexOf(state);
      if (to === undefined || at < 0) return null;
      const frees = lock !== undefined && !isLockedState(to);
      if (at === route.length - 1) return frees ? { lock: null } : null;
      return { state: to, ...(frees ? { lock: null } : {}) };
    });
    moved.push(...movedFrom(flowOf(context), after));
  }
  return [...moved, ...(await rollUpParents(context))];
};

/** Moves parents whose children have all arrived. Only those that the session has read: others belong to nobody here. */
const rollUpParents = async (context: FlowContext): Promise<readonly Moved[]> => {
  const known = new Map((flowOf(context).reading?.issues ?? []).map((issue) => [issue.id, issue]));
  if (![...known.values()].some(({ parent }) => parent !== undefined && known.has(parent))) return [];
  const moved: Moved[] = [];
  /** Parents that stay where they are: another session has them, or somebody was faster. */
  const staying = new Set<IssueId>();
  for (;;) {
    const next = pendingRollUps(await readIndex(context)).find(
      ({ issue: { id } }) => known.has(id) && !staying.has(id),
    );
    if (next === undefined) return moved;
    const { after, before } = await changeIssue(context, next.issue.id, ({ state }) =>
      state === next.issue.state ? { state: next.state, lock: null } : null,
    );
    if (after.state === before.state) staying.add(next.issue.id);
    else moved.push(...movedFrom(flowOf(context), after));
  }
};

const readIndex = async ({ port }: FlowContext): Promise<IssueIndex> => {
  const reading = await port.tracker.list();
  if (!reading.ok) throw new FaultError(reading.error);
  return indexIssues(reading.issues);
};

/**
 * Posts a comment unless the issue has exactly this text from us, posted before a crash, and remembers it as ours. The same text by a stranger does
 * not count: its author may change it later.
 */
export const commentOnce = async ({ port, core }: FlowContext, id: IssueId, text: string): Promise<void> => {
  const body = core.redact(text);
  const issue = await showIssue(port.tracker, id);
  const own = port.own();
  const known = issue.comments.find(
    (comment) => (own.has(comment.id) || comment.role !== 'other') && sameText(comment.body, body),
  );
  if (known !== undefined && own.has(known.id)) return;
  port.remember(known ?? answeredFor(id, await port.tracker.comment(id, body)));
};

/** Trackers change the ends of lines. */
const sameText = (one: string, other: string): boolean => plain(one) === plain(other);
const plain = (text: string): string => text.replaceAll('\r\n', '\n').trim();
