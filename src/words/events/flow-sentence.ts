import { assertNever } from '../../base/assert-never.ts';
import { safe } from '../../base/safe.ts';
import { flowEvents } from '../../pipeline/events/flow.ts';
import type { Moved } from '../../pipeline/modes/flow/flow-state.ts';
import { ofSubject, type SubjectOf } from './of-subject.ts';

/** Whether the event is about issues, or the workers on them. */
export const isFlowEvent = ofSubject(flowEvents);

/** Sentences about issues. */
export const formatFlowEvent = (event: SubjectOf<typeof flowEvents>): string | null => {
  switch (event.type) {
    case 'flow.step-started':
      return null;
    case 'issues.read':
      return `read ${event.issues.length} ${event.issues.length === 1 ? 'issue' : 'issues'}${tail(event.returned, '; locks of dead sessions released')}`;
    case 'issues.locked':
      return `${safe(event.task)} locked its issues${tail(event.moved)}`;
    case 'issues.seen':
      return event.moved.length === 0
        ? null
        : `${safe(event.task)} read its issues before its merge${tail(event.moved)}`;
    case 'result.recorded':
      return `${safe(event.task)} recorded${documentOf(event.result)}${tail(event.moved)}`;
    case 'merge.proposed':
      return `${safe(event.task)} is verified before it is merged`;
    case 'plan.decided':
      return `${safe(event.task)}: the plan was ${verdictWords[event.verdict]} by ${safe(event.by)}${event.reason === '' ? '' : ` (${safe(event.reason)})`}${tail(event.moved)}`;
    case 'pr.looked':
      return `${safe(event.task)}: its pull request ${lookWords[event.state]}${tail(event.moved)}`;
    case 'pr.drafted':
      return event.shown !== 'open'
        ? null
        : `${safe(event.task)}: the draft ${safe(event.url)} shows the work, ${event.done.length === 0 ? 'of which nothing is done' : `${event.done.map(safe).join(', ')} done`}`;
    case 'pr.sent-back':
      return `${safe(event.task)}: its pull request was sent back ${event.escalated ? 'to a person' : 'for more work'}${tail(event.moved)}`;
    case 'issues.given-back':
      return `${safe(event.task)} released its issues${tail(event.moved)}`;
    case 'team.formed':
      return `team formed: ${event.workers.map(({ name }) => safe(name)).join(', ')}`;
    case 'task.claimed':
      return event.worker === null ? null : `${safe(event.worker)} takes ${safe(event.task)}`;
    case 'task.released':
      return `${safe(event.task)} is free again: ${safe(event.reason)}`;
    case 'worker.left':
      return `${safe(event.worker)} left: ${safe(event.reason)}`;
    case 'worker.knocked':
      return `${safe(event.name)} of ${safe(event.program)} (pid ${event.process.pid}) asks to join`;
    case 'worker.admitted':
      return `${safe(event.worker)} joined, admitted by ${safe(event.by)}`;
    case 'worker.messaged':
      return event.refused === undefined
        ? `${safe(event.worker)} sent ${safe(event.kind)}${event.to === null ? '' : ` to ${safe(event.to)}`}: ${safe(event.text)}`
        : `${safe(event.worker)}: ${safe(event.kind)} refused: ${safe(event.refused)}`;
    case 'flow.step-refused':
      return `${event.task === undefined ? '' : `${safe(event.task)}: `}tracker step failed: ${safe(event.reason)}`;
    default:
      return assertNever(event);
  }
};

const lookWords = {
  pending: 'waits for checks',
  passed: 'passed its checks',
  failed: 'is refused',
  none: 'has no checks',
  commented: 'has a comment of a member',
  merged: 'is merged',
  closed: 'is closed',
} as const;

const verdictWords = { approved: 'approved', again: 'sent back', refused: 'rejected' } as const;

const documentOf = ({ artifact_path, pr_url }: Readonly<Record<string, unknown>>): string => {
  const place = artifact_path ?? pr_url;
  return typeof place === 'string' && place !== '' ? ` in ${safe(place)}` : '';
};

const tail = (moved: readonly Moved[], before = ''): string =>
  moved.length === 0
    ? ''
    : `${before}: ${moved.map(({ issue, from, to }) => safe(`${issue} ${from} → ${to}`)).join(', ')}`;
