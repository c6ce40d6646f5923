import { commandText } from '../../agents/command-text.ts';
import { assertNever } from '../../base/assert-never.ts';
import { type Fault, formatFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import type { Event, EventOf } from '../../pipeline/event.ts';
import { fromJournaled } from '../../pipeline/journaled-fault.ts';
import { guidanceWords } from '../../session/guidance/format-guidance.ts';
import { commandsText } from '../../tasks/commands.ts';
import { formatStatus } from '../format-status.ts';
import { optionsWords } from '../question-words.ts';
import { stateSentence } from '../state-words.ts';
import { exitWords, noCommitWords } from '../work-words.ts';
import { formatAgentEvent } from './agent-sentence.ts';
import { formatChangesEvent, isChangesEvent } from './change-sentence.ts';
import { formatFlowEvent, isFlowEvent } from './flow-sentence.ts';
import { formatRunnersEvent, isRunnersEvent } from './runner-sentence.ts';
import { formatSignalEvent } from './signal-sentence.ts';

/**
 * An event as a sentence, in the plain log and on the screen. `null` for the steps of the machine itself, which these leave out. Text from outside
 * passes `safe()`.
 */
export const eventSentence = (event: Event): string | null => {
  switch (event.type) {
    case 'session.created':
      return `session ${event.session_id} in ${safe(event.workspace)}: ${safe(event.goal)}`;
    case 'session.started':
      return event.reason === 'resume' ? `resumed by pid ${event.pid}` : null;
    case 'session.stopped':
      return `session ${event.session_id} ${formatStatus(event.status, event.reason)} (exit ${event.exit_code})`;
    case 'session.reviewed':
      return `review: ${event.goals_achieved ? 'goals achieved' : 'goals not achieved'}. ${safe(event.assessment)}`;
    case 'state.entered':
      return stateSentence(event.state, event.reason);
    case 'iteration.started':
      return `iteration ${event.iteration} starts from ${count(event.feedback.length, 'feedback')}`;
    case 'wave.chosen':
      return `wave ${event.wave}: ${event.tasks.map(safe).join(', ')}`;
    case 'plan-item.marked':
      return event.mark === 'done' || event.mark === 'cancelled'
        ? `${event.item} ${event.mark}${event.note ? `: ${safe(event.note)}` : ''}`
        : null;
    case 'tasks.defined':
      return `planned ${count(event.tasks.length, 'task')}${event.replaces ? ` in place of ${safe(event.replaces)}` : ''}`;
    case 'settings.changed':
      return `settings changed: ${safe(JSON.stringify(event.set))}`;
    case 'guidance.changed':
      return `guidance changed: ${safe(guidanceWords(event.guidance))}`;
    case 'task.started':
    case 'task.submitted':
    case 'task.verified':
    case 'task.qualified':
    case 'task.failed':
    case 'task.interrupted':
    case 'task.escalated':
    case 'task.reset':
    case 'task.cancelled':
    case 'task.annotated':
    case 'task.commands-edited':
    case 'task.replaced':
    case 'task.edited-by-hand':
    case 'task.file-missing':
      return formatTaskEvent(event);
    case 'command.started':
      return `${subject(event)} $ ${safe(commandText(event.command))}`;
    case 'command.ended':
      return `${subject(event)} ${event.ok ? 'ok' : `failed: ${exitWords(event.exit)}`} after ${seconds(event.duration_ms)}`;
    case 'processes.stopped':
      return event.unverified.length > 0
        ? `could not verify: pids ${event.unverified.join(', ')}`
        : `${count(event.stopped.length, 'process', 'processes')} stopped, verified gone`;
    case 'invocation.failed':
      return `${event.invocation} ${event.kind}: ${safe(failureWords(fromJournaled(event.fault)))}`;
    case 'invocation.paused':
    case 'invocation.resumed':
      return `${event.invocation} ${event.type === 'invocation.paused' ? 'paused' : 'continues'}`;
    case 'invocation.started':
      return event.instead_of === undefined
        ? null
        : `${event.invocation}: ${safe(event.backend)} works instead of ${safe(event.instead_of)}, whose quota is used up`;
    case 'retry.scheduled':
      return `retry ${event.tries} at ${new Date(event.at_ms).toISOString()}`;
    case 'finding.noted':
      return `${event.invocation}: ${safe(event.text)}`;
    case 'problem.found':
      return `problem: ${safe(formatFault(fromJournaled(event.fault)))}`;
    case 'limit.reached':
      return `limit ${safe(event.limit)}: ${safe(event.reason)}`;
    case 'metadata.edited-by-hand':
      return `${safe(event.file)} was edited by hand: ${safe(event.key)}`;
    case 'feedback.found':
      return `${event.directories.length === 0 ? 'no feedback' : 'feedback found'} for iteration ${event.iteration}`;
    case 'signal.pending':
    case 'signal.claimed':
    case 'signal.delivered':
    case 'signal.queued':
    case 'signal.handled':
    case 'signal.rejected':
    case 'signal.undelivered':
    case 'signal.withdrawn':
    case 'steer.decided':
      return formatSignalEvent(event);
    case 'hold.requested':
      return `pausing, asked by ${safe(event.by)}${event.message ? `: ${safe(event.message)}` : ''}`;
    case 'hold.begun':
      return event.processes > 0
        ? `paused, ${count(event.processes, 'process', 'processes')} still running`
        : 'paused';
    case 'hold.ended':
      return `resumed by ${safe(event.by)}`;
    case 'abort.requested':
      return `abort, asked by ${safe(event.by)}${event.message ? `: ${safe(event.message)}` : ''}`;
    case 'drain.requested':
      return `draining, asked by ${safe(event.by)}${event.message ? `: ${safe(event.message)}` : ''}`;
    case 'gate.opened':
      return event.gate === 'knowledge'
        ? `knowledge waits for approval: ${event.files.map(safe).join(', ')}`
        : 'the plan waits for approval';
    case 'gate.decided':
      return `${event.gate} gate: ${event.decision} (${safe(event.by)})`;
    case 'knowledge.staged':
      return `knowledge: ${event.files.length} staged, ${event.carried.length} carried, ${event.dropped.length} dropped`;
    case 'knowledge.promoted':
      return `promoted ${event.files.map(safe).join(', ')}`;
    case 'question.asked':
      return `question ${safe(event.request)}: ${safe(`${event.text}${optionsWords(event.options)}`)}`;
    case 'question.answered':
      return `${safe(event.request)} answered by ${safe(event.by)}: ${safe(event.answer)}`;
    case 'turn.decided':
      return `turn ${event.turn}: ${safe(event.sentence)}`;
    // The reporter joins output into whole lines.
    case 'output.written':
    case 'turn.returned':
    case 'turn.observed':
    case 'snapshot.written':
    case 'process.started':
    case 'invocation.ended':
    case 'invocation.interrupted':
    case 'invocation.settled':
    case 'checkpoint.reached':
    case 'timer.fired':
      return null;
    // All remaining types are about issues, runners, changes or agents. A new type that is none of them does not compile here.
    default:
      if (isFlowEvent(event)) return formatFlowEvent(event);
      if (isRunnersEvent(event)) return formatRunnersEvent(event);
      return isChangesEvent(event) ? formatChangesEvent(event) : formatAgentEvent(event);
  }
};

type TaskEvent = Exclude<
  Extract<Event, { type: `task.${string}` }>,
  { type: 'task.claimed' | 'task.released' }
>;

const formatTaskEvent = (event: TaskEvent): string => {
  const task = safe(event.task);
  switch (event.type) {
    case 'task.started':
      return `${task} started${event.attempt > 0 ? `, attempt ${event.attempt}` : ''}${event.owner ? ` (${safe(event.owner)})` : ''}`;
    case 'task.submitted':
      return event.result !== undefined
        ? `${task} handed in`
        : `${task} waits for review${event.files.length > 0 ? `, changed ${event.files.map(safe).join(', ')}` : ''}`;
    case 'task.verified':
      return `${task} passed ${count(event.results.length, 'verify command')}, attempt ${event.attempt}`;
    case 'task.qualified':
      return [`${task} done, attempt ${event.attempt}`, noCommitWords(event)].filter(Boolean).join('; ');
    case 'task.failed':
      return `${task} failed, attempt ${event.attempt}: ${safe(event.reason)}`;
    case 'task.interrupted':
      return `${task} interrupted, attempt ${event.attempt}: ${safe(event.reason)}`;
    case 'task.escalated':
      return `${task} goes back to the planner: ${safe(event.message)}`;
    case 'task.reset':
      return `${task} open again: ${safe(event.reason)}`;
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

const subject = (event: EventOf<'command.started'> | EventOf<'command.ended'>): string =>
  safe(event.task ?? event.invocation);

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const count = (amount: number, one: string, many = `${one}s`): string =>
  `${amount} ${amount === 1 ? one : many}`;

/** The place of a failed call is the agent or the log, which its subject names. */
const failureWords = ({ what, hint }: Fault): string =>
  formatFault(hint === undefined ? { what } : { what, hint });
