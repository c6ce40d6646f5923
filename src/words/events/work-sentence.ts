import { commandText } from '../../agents/command-text.ts';
import { assertNever } from '../../base/assert-never.ts';
import { type Fault, formatFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { list } from '../../base/sentence.ts';
import { invocationsEvents } from '../../pipeline/events/invocations.ts';
import { processesEvents } from '../../pipeline/events/processes.ts';
import { count } from '../local-time.ts';
import { callWords, exitWords } from '../work-words.ts';
import { ofSubject, type SubjectOf } from './of-subject.ts';
import { subjectOf, type TaskOf } from './subject-of.ts';

const events = () => [...invocationsEvents(), ...processesEvents()] as const;

/** Whether the event is about the work of agents and their commands. */
export const isWorkEvent = ofSubject(events);

/** The sentence of such an event; `null` for a step of the machine itself. */
export const formatWorkEvent = (event: SubjectOf<typeof events>, taskOf: TaskOf): string | null => {
  switch (event.type) {
    case 'command.started':
      return `${subjectOf(event, taskOf)} $ ${safe(commandText(event.command))}`;
    case 'command.ended':
      return `${subjectOf(event, taskOf)} ${event.ok ? 'ok' : `failed: ${exitWords(event.exit)}`} after ${seconds(event.duration_ms)}`;
    case 'processes.stopped':
      return event.unverified.length > 0
        ? `could not verify that ${event.unverified.length === 1 ? 'pid' : 'pids'} ${list(event.unverified.map(String), event.unverified.length)} ended`
        : `${count(event.stopped.length, 'process', 'processes')} stopped and verified gone`;
    case 'invocation.failed':
      return `${subjectOf(event, taskOf)} ${event.kind}: ${safe(failureWords(event.fault))}`;
    case 'invocation.paused':
    case 'invocation.resumed':
      return `${subjectOf(event, taskOf)} ${event.type === 'invocation.paused' ? 'paused' : 'continues'}`;
    case 'invocation.started':
      return event.instead_of === undefined
        ? null
        : `${subjectOf(event, taskOf)}: ${safe(event.backend)} takes over from ${safe(event.instead_of)}, whose quota is used up`;
    case 'retry.scheduled':
      return `${event.invocation === undefined ? safe(callWords(event.retry)) : subjectOf({ invocation: event.invocation }, taskOf)} tries again in ${seconds(Math.max(0, event.at_ms - Date.parse(event.at)))}, retry ${event.tries}`;
    case 'finding.noted':
      return `${subjectOf(event, taskOf)}: ${safe(event.text)}`;
    case 'invocation.ended':
    case 'invocation.interrupted':
    case 'invocation.settled':
    case 'checkpoint.reached':
    case 'process.started':
    case 'output.written':
      return null;
    default:
      return assertNever(event);
  }
};

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** The place of a failed call is the agent or the log, which its subject names. */
const failureWords = ({ what, hint }: Fault): string =>
  formatFault(hint === undefined ? { what } : { what, hint });
