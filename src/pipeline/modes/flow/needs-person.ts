import type { IssueId } from '../../../issues/issue.ts';
import type { SessionState } from '../../state.ts';
import { lostReason } from './flow-state.ts';
import { listOf } from './flow-tasks.ts';

/** An issue of this session in Human Needed, as far as the session knows. */
interface NeedingIssue {
  readonly issue: IssueId;
  readonly title: string;
  /** '' when a person moved it there. */
  readonly reason: string;
  /** When its last task was taken off (ISO 8601). */
  readonly since: string;
}

/** The issues of the session's own tasks that only a person can move on. */
export const issuesNeedingPerson = (state: SessionState): readonly NeedingIssue[] => {
  const { flow } = state;
  if (flow === null) return [];
  const list = listOf(state, flow);
  return (flow.reading?.issues ?? []).flatMap(({ id, title, state: at }) => {
    const own = list.filter(({ listed }) => listed.issues.includes(id));
    if (at !== 'Human Needed' || own.length === 0) return [];
    const lost = own.flatMap(({ work }) => lostReason(work) ?? []);
    const verdicts = own.flatMap(({ task, work }) =>
      work.verdict === 'refused' || work.sentBack?.escalated === true || work.left !== undefined
        ? (task.reason ?? [])
        : [],
    );
    const ends = own.flatMap(({ task }) => task.endedAt ?? []).sort();
    return [{ issue: id, title, reason: [...lost, ...verdicts][0] ?? '', since: ends.at(-1) ?? state.at }];
  });
};
