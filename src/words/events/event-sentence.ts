import type { Event } from '../../pipeline/event.ts';
import { formatAgentEvent } from './agent-sentence.ts';
import { formatChangesEvent, isChangesEvent } from './change-sentence.ts';
import { formatDecisionEvent, isDecisionEvent } from './decision-sentence.ts';
import { formatFlowEvent, isFlowEvent } from './flow-sentence.ts';
import { formatRunnersEvent, isRunnersEvent } from './runner-sentence.ts';
import { formatSessionEvent, isSessionEvent } from './session-sentence.ts';
import { formatSignalEvent, isSignalEvent } from './signal-sentence.ts';
import { createTasks, type TaskOf } from './subject-of.ts';
import { formatTaskEvent, isTaskEvent } from './task-sentence.ts';
import { formatWorkEvent, isWorkEvent } from './work-sentence.ts';

/**
 * An event as a sentence, in the plain log and on the screen. `null` for the steps of the machine itself, which these leave out. Text from outside
 * passes `safe()`. `taskOf` names the task of an invocation, for the events that do not carry it.
 */
export const eventSentence = (event: Event, taskOf: TaskOf = () => undefined): string | null => {
  if (isWorkEvent(event)) return formatWorkEvent(event, taskOf);
  if (isTaskEvent(event)) return formatTaskEvent(event);
  if (isSessionEvent(event)) return formatSessionEvent(event);
  if (isDecisionEvent(event)) return formatDecisionEvent(event, taskOf);
  if (isSignalEvent(event)) return formatSignalEvent(event, taskOf);
  if (isChangesEvent(event)) return formatChangesEvent(event);
  if (isFlowEvent(event)) return formatFlowEvent(event);
  if (isRunnersEvent(event)) return formatRunnersEvent(event);
  // All remaining types are about agents. A new type that is none of these does not compile here.
  return formatAgentEvent(event, taskOf);
};

/** Sentences of the events of one session, given in their order. */
export const createEventSentences = (): ((event: Event) => string | null) => {
  const tasks = createTasks();
  return (event) => {
    tasks.take(event);
    return eventSentence(event, tasks.of);
  };
};
