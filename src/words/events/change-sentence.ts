import { assertNever } from '../../base/assert-never.ts';
import { safe } from '../../base/safe.ts';
import { changesEvents } from '../../pipeline/events/changes.ts';
import { attemptWords } from './attempt-words.ts';
import { ofSubject, type SubjectOf } from './of-subject.ts';

/** Whether the event is about what becomes of changes. */
export const isChangesEvent = ofSubject(changesEvents);

/** A plain-log line of such an event; `null` for what another line says too. */
export const formatChangesEvent = (event: SubjectOf<typeof changesEvents>): string | null => {
  const task = 'task' in event ? safe(event.task) : '';
  switch (event.type) {
    case 'changes.opened':
      return `changes go to the branch ${safe(event.branch)}`;
    case 'review.passed':
      return event.next === 'merge'
        ? `${task} passed its review${attemptWords(event)}`
        : `${task} passed its review${attemptWords(event)}; a person decides`;
    case 'review.missed':
      return `${task} is not reviewed: the Reviewer gave no verdict${attemptWords(event)} (${safe(event.reason)})${event.next === 'person' ? '; a person decides' : ''}`;
    case 'attempt.merged':
      return event.commit === event.before
        ? `${task} had no changes to merge`
        : `${task} merged: ${event.files.length > 0 ? event.files.map(safe).join(', ') : 'no changes'}`;
    case 'merge.conflicted':
      return `${task} conflicts${event.against.length > 0 ? ` with ${event.against.map(safe).join(', ')}` : ''} in ${event.files.map(safe).join(', ')}`;
    case 'merge.refused':
      return `${task} was not merged: ${safe(event.reason)}`;
    case 'merge.rejected':
      return event.invocation === undefined
        ? `the merge of ${task} was undone: ${safe(event.reason)}`
        : `${task} failed ${safe(event.reason)}`;
    case 'merge.deferred':
      return `${task} conflicts with merges that are not verified yet; it is merged after them`;
    case 'merge.verified':
      return `${task} passed its verify after the merge${attemptWords(event)}`;
    case 'merge.landed':
      return `${task} was added to the session's branch`;
    case 'landing.refused':
      return `${task} is merged again: ${safe(event.reason)}`;
    case 'merge.taken-back':
      return `${task} was removed from the session's branch`;
    case 'changes.finished':
      return [
        `changes: ${finished[event.how](safe(event.branch))}`,
        ...(event.commands ?? []).map(safe),
      ].join('; ');
    case 'finish.refused':
      return `changes stay on their branch: ${safe(event.reason)}`;
    case 'undo.asked':
      return `${task}: ${event.way} requested`;
    case 'undo.refused':
      return `${task}: ${event.way} refused: ${safe(event.reason)}`;
    case 'changes.undone':
      return `${task} undone: ${event.files.map(safe).join(', ')}; patch: ${safe(event.patch)}`;
    case 'changes.redone':
      return `${task} brought back: ${event.files.map(safe).join(', ')}`;
    case 'worktree.prepared':
    case 'worktree.set-up':
    case 'attempt.snapshotted':
    case 'merge.started':
    case 'landing.started':
    case 'worktree.removed':
    case 'finish.started':
    case 'teardown.started':
    case 'teardown.ended':
    case 'undo.granted':
    case 'undo.started':
      return null;
    default:
      return assertNever(event);
  }
};

const finished = {
  merge: (branch: string) => `${branch} was merged into the checked-out branch`,
  squash: (branch: string) => `${branch} was squashed onto the checked-out branch`,
  keep: (branch: string) => `kept on ${branch}`,
  'pull-request': (branch: string) => `${branch} is ready for a pull request`,
} as const;
