import { assertNever } from '../../base/assert-never.ts';
import { formatFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { loopEvents } from '../../pipeline/events/loop.ts';
import { planningEvents } from '../../pipeline/events/planning.ts';
import { sessionEvents } from '../../pipeline/events/session.ts';
import { guidanceWords } from '../../session/guidance/format-guidance.ts';
import { formatStatus } from '../format-status.ts';
import { count } from '../local-time.ts';
import { settingsWords } from '../signal-words.ts';
import { stateSentence } from '../state-words.ts';
import { ofSubject, type SubjectOf } from './of-subject.ts';

const events = () => [...sessionEvents(), ...planningEvents(), ...loopEvents()] as const;

/** Whether the event is about the session as a whole, its plan, or the turns of a loop. */
export const isSessionEvent = ofSubject(events);

/** The sentence of such an event; `null` for a step of the machine itself. */
export const formatSessionEvent = (event: SubjectOf<typeof events>): string | null => {
  switch (event.type) {
    case 'session.created':
      return `session ${event.session_id} in ${safe(event.workspace)}: ${safe(event.goal)}`;
    case 'session.started':
      return event.reason === 'resume' ? `resumed by pid ${event.pid}` : null;
    case 'session.stopped':
      return `session ${event.session_id} ${formatStatus(event.status, event.reason)}${event.exit_code === 0 ? '' : ` (exit ${event.exit_code})`}`;
    case 'state.entered':
      return stateSentence(event.state, event.reason);
    case 'iteration.started':
      return `iteration ${event.iteration} starts with ${count(event.feedback.length, 'feedback item')}`;
    case 'plan-item.marked':
      return event.mark === 'done' || event.mark === 'cancelled'
        ? `${event.item.replace(/^plan-/, '').replaceAll('-', ' ')} ${event.mark === 'done' ? 'done' : 'skipped'}${event.note ? `: ${safe(event.note)}` : ''}`
        : null;
    case 'tasks.defined':
      return `planned ${count(event.tasks.length, 'task')}${event.replaces ? ` in place of ${safe(event.replaces)}` : ''}`;
    case 'settings.changed':
      return `settings changed: ${settingsWords(event.set)}`;
    case 'guidance.changed':
      return `guidance changed: ${safe(guidanceWords(event.guidance))}`;
    case 'problem.found':
      return `problem: ${safe(formatFault(event.fault))}`;
    case 'limit.reached':
      return `limit ${safe(event.limit)}: ${safe(event.reason)}`;
    case 'metadata.edited-by-hand':
      return `${safe(event.file)} was edited by hand: ${safe(event.key)}`;
    case 'turn.decided':
      return `turn ${event.turn}: ${safe(event.sentence)}`;
    case 'wave.chosen':
    case 'snapshot.written':
    case 'turn.returned':
    case 'turn.observed':
      return null;
    default:
      return assertNever(event);
  }
};
