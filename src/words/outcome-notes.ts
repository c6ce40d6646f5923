import type { Event } from '../pipeline/event.ts';
import { count } from './local-time.ts';

/** A line of a log that is no output. */
export interface Note {
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'bad' | 'steer';
  /** A thought of the agent, whole: shown in place of `text` while thoughts are unfolded. */
  readonly thought?: string;
}

/** A log shows at most so many gaps. The report has them all. */
const mostGaps = 20;

/** The outcome of an invocation without a task, one note per line. It is no command output, but its log is where people look for it. */
export const outcomeNotes = (event: Event): readonly Note[] => {
  switch (event.type) {
    case 'tasks.defined': {
      const instead = event.replaces ? ` in place of ${event.replaces}` : '';
      return [plain(`planned ${count(event.tasks.length, 'task')}${instead}`)];
    }
    case 'session.reviewed':
      return [
        event.goals_achieved
          ? { text: `goals achieved. ${event.assessment}`, tone: 'good' }
          : { text: `goals not achieved. ${event.assessment}`, tone: 'bad' },
        ...event.gaps.slice(0, mostGaps).map(plain),
        ...(event.gaps.length > mostGaps ? [plain(`and ${event.gaps.length - mostGaps} more`)] : []),
      ];
    case 'knowledge.staged': {
      const carried = new Set(event.carried);
      const notes = [
        ...event.files.filter((file) => !carried.has(file)).map((file) => plain(`wrote ${file}`)),
        ...event.carried.map((file) => plain(`carried ${file}`)),
        ...event.dropped.map((file) => plain(`dropped ${file}`)),
      ];
      return notes.length === 0 ? [plain('found nothing to learn')] : notes;
    }
    case 'knowledge.promoted':
      return event.files.map((file) => ({ text: `kept ${file}`, tone: 'good' }));
    default:
      return [];
  }
};

const plain = (text: string): Note => ({ text, tone: 'plain' });
