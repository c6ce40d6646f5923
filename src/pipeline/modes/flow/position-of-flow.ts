import { memoise } from '../../../base/memoise.ts';
import { type Group, groupOf } from '../../../issues/group.ts';
import type { IssueId } from '../../../issues/issue.ts';
import { type IssueIndex, indexIssues } from '../../../issues/issue-index.ts';
import { type Position, positionOf } from '../../../issues/position/position.ts';
import { type Stream, streamsOfGroup } from '../../../issues/streams/streams.ts';
import { buildTaskList } from '../../../issues/task-list/build-task-list.ts';
import type { FlowTask } from '../../../issues/task-list/flow-task.ts';
import type { FlowReading, FlowState } from './flow-state.ts';

/** Where the group of a flow stands, from its last reading and the engine's own moves since. */
export interface FlowStanding {
  readonly index: IssueIndex;
  readonly group: Group | null;
  readonly streams: readonly Stream[];
  readonly position: Position;
}

/** `null` before the first reading. */
export const standingOfFlow = (flow: FlowState): FlowStanding | null => {
  const { reading, review, auto_merge, phases, holder, issue, only } = flow;
  if (reading === null) return null;
  const index = indexOfReading(reading);
  const group = groupOf(index, issue, only);
  const streams = group === null ? [] : streamsOfGroup(index, group, filesOf(flow, reading));
  const facts = {
    review,
    autoMerge: auto_merge,
    ...(phases === undefined ? {} : { phases }),
    planned: new Set(reading.planned),
    me: holder,
    streams: streams.length,
  };
  return { index, group, streams, position: positionOf(index, group, facts) };
};

/** All tasks that are left, as a new list. */
export const freshList = (
  { review, auto_merge }: FlowState,
  { index, position, streams }: FlowStanding,
): readonly FlowTask[] => buildTaskList(index, position, { review, autoMerge: auto_merge, streams });

/** The issues of a reading. Their texts stay in the tracker. */
export const indexOfReading = memoise(
  ({ issues }: FlowReading): IssueIndex =>
    indexIssues(issues.map((issue) => ({ ...issue, body: '', comments: [] }))),
);

/** The files of each issue: from the documents that were read, and from the research of this session. */
const filesOf = ({ works }: FlowState, { files }: FlowReading): ReadonlyMap<IssueId, readonly string[]> => {
  const found = new Map(Object.entries(files));
  for (const { result } of works.values())
    if (result?.phase === 'research' && result.issue !== undefined && result.files !== undefined)
      found.set(result.issue, result.files);
  return found;
};
