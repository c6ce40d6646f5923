import { assertNever } from '../../base/assert-never.ts';
import { safe } from '../../base/safe.ts';
import { tasksEvents } from '../../pipeline/events/tasks.ts';
import { commandsText } from '../../tasks/commands.ts';
import { count } from '../local-time.ts';
import { reasonWords } from '../reason-words.ts';
import { noCommitWords } from '../work-words.ts';
import { attemptWords } from './attempt-words.ts';
import { ofSubject, type SubjectOf } from './of-subject.ts';

/** Whether the event is about the life of a task. */
export const isTaskEvent = ofSubject(tasksEvents);

/** The sentence of such an event. */
export const formatTaskEvent = (event: SubjectOf<typeof tasksEvents>): string => {
  const task = safe(event.task);
  switch (event.type) {
    case 'task.started':
      return `${task} started${attemptWords(event)}${event.owner ? ` (${safe(event.owner)})` : ''}`;
    case 'task.submitted':
      return event.result !== undefined
        ? `${task} handed in`
        : `${task} is waiting for review${event.files.length > 0 ? ` (changed ${event.files.map(safe).join(', ')})` : ''}`;
    case 'verify.disturbed':
      return `${safe(event.task)} failed its verify beside other tasks; it is verified again when they have ended`;
    case 'verify.outdated':
      return `${safe(event.task)} is verified once more: ${filesWords(event.files)} changed since it passed beside other tasks`;
    case 'task.verified':
      return `${task} passed ${count(event.results.length, 'verify command')}${attemptWords(event)}`;
    case 'task.qualified':
      return [`${task} done${attemptWords(event)}`, noCommitWords(event)].filter(Boolean).join('; ');
    case 'task.failed':
      return `${task} failed${attemptWords(event)}: ${reasonWords(event.reason)}`;
    case 'task.interrupted':
      return `${task} interrupted${attemptWords(event)}: ${reasonWords(event.reason)}`;
    case 'task.escalated':
      return `${task} goes back to the Planner: ${reasonWords(event.message)}`;
    case 'task.reset':
      return `${task} reopened: ${safe(event.reason)}`;
    case 'task.cancelled':
      return `${task} cancelled: ${safe(event.reason)}`;
    case 'task.annotated':
      return `${task} notes ${Object.keys(event.metadata).map(safe).join(', ')}`;
    case 'task.commands-edited':
      return `${task} runs the commands from its file: ${safe(commandsText(event.run).replaceAll('\n', ' && '))}`;
    case 'task.replaced':
      return `${task} replaced by ${event.by.map(safe).join(', ')}`;
    case 'task.edited-by-hand':
      return `${task} set from ${event.from} to ${event.to} by hand`;
    case 'task.file-missing':
      return `${task} has no task file`;
    default:
      return assertNever(event);
  }
};

const filesWords = ([first = '', ...others]: readonly string[]): string =>
  `${safe(first)}${others.length === 0 ? '' : ` and ${count(others.length, 'other file')}`}`;
