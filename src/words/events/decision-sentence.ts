import { assertNever } from '../../base/assert-never.ts';
import { safe } from '../../base/safe.ts';
import type { EventOf } from '../../pipeline/event.ts';
import { decisionsEvents } from '../../pipeline/events/decisions.ts';
import { choiceNameOf } from '../../signals/question-kinds.ts';
import { count } from '../local-time.ts';
import { optionsWords } from '../question-words.ts';
import { ofSubject, type SubjectOf } from './of-subject.ts';
import type { TaskOf } from './subject-of.ts';

/** Whether the event is about a hold, a gate, a question, a review of the session or its knowledge. */
export const isDecisionEvent = ofSubject(decisionsEvents);

/** The sentence of such an event; `null` for a step of the machine itself. */
export const formatDecisionEvent = (
  event: SubjectOf<typeof decisionsEvents>,
  taskOf: TaskOf,
): string | null => {
  switch (event.type) {
    case 'session.reviewed':
      return `review: ${event.goals_achieved ? 'goals achieved' : 'goals not achieved'}. ${safe(event.assessment)}`;
    case 'feedback.found':
      return `${event.directories.length === 0 ? 'no feedback' : 'feedback found'} for iteration ${event.iteration}`;
    case 'hold.requested':
      return `pausing, requested by ${safe(event.by)}${event.message ? `: ${safe(event.message)}` : ''}`;
    case 'hold.begun':
      return event.processes > 0
        ? `paused, ${count(event.processes, 'process', 'processes')} still running`
        : 'paused';
    case 'hold.ended':
      return `resumed by ${safe(event.by)}`;
    case 'abort.requested':
      return `abort requested by ${safe(event.by)}${event.message ? `: ${safe(event.message)}` : ''}`;
    case 'drain.requested':
      return `draining, requested by ${safe(event.by)}${event.message ? `: ${safe(event.message)}` : ''}`;
    case 'order.withdrawn':
      return `order withdrawn by ${safe(event.by)}: "${safe(event.text)}"`;
    case 'gate.opened':
      return event.gate === 'knowledge'
        ? `${count(event.files.length, 'lesson')} to keep or drop: ${event.files.map(safe).join(', ')}`
        : 'the plan is waiting for approval';
    case 'gate.decided':
      // `by` is a person, or why nobody decided.
      return `${gateWords[event.gate][event.decision]} (${safe(event.by)})`;
    case 'knowledge.staged':
      return [
        `${count(event.files.length, 'lesson')} learned`,
        ...(event.carried.length > 0 ? [`${event.carried.length} carried over`] : []),
        ...(event.dropped.length > 0 ? [`${event.dropped.length} dropped`] : []),
      ].join(', ');
    case 'knowledge.promoted':
      return `promoted ${event.files.map(safe).join(', ')}`;
    case 'question.asked':
      return safe(`${askerOf(event.request, taskOf)}: ${event.text}${optionsWords(event)}`);
    case 'question.answered':
      return safe(`${event.by} answered ${taskOf(event.request) ?? 'the question'}: ${answerOf(event)}`);
    case 'timer.fired':
      return null;
    default:
      return assertNever(event);
  }
};

const askerOf = (request: string, taskOf: TaskOf): string => {
  const task = taskOf(request);
  return task === undefined ? 'a question for you' : `${task} asks you`;
};

const answerOf = ({ request, option, answer }: EventOf<'question.answered'>): string => {
  const name = choiceNameOf(request, option ?? answer);
  return option === undefined || option === answer ? name : `${name}: ${answer}`;
};

type Decided = Extract<SubjectOf<typeof decisionsEvents>, { type: 'gate.decided' }>;

const gateWords: {
  readonly [gate in Decided['gate']]: { readonly [decision in Decided['decision']]: string };
} = {
  plan: {
    approve: 'plan approved',
    skip: 'plan sent back to the Planner',
    carry: 'plan carried over',
    abort: 'plan rejected; the session ends',
  },
  knowledge: {
    approve: 'lessons approved',
    skip: 'lessons not kept',
    carry: 'lessons carried over to the next iteration',
    abort: 'lessons rejected; the session ends',
  },
};
