import { assertNever } from '../base/assert-never.ts';
import { safe } from '../base/safe.ts';
import { planRequest } from '../pipeline/questions/open-questions.ts';
import type { SessionState, SignalLife } from '../pipeline/state.ts';
import { choiceNameOf } from '../signals/question-kinds.ts';
import type { Signal } from '../signals/signal.ts';
import { sessionCommand } from './session-command.ts';

/** Files that decide something and that nobody is known to have written, oldest first. A person confirms or withdraws each (src/signals/README.md, rule 13). */
export const selectUnproven = (session: SessionState): readonly SignalLife[] =>
  [...session.signals.values()].filter(({ stage, unproven }) => stage === 'pending' && unproven);

/** "A file approves the plan: did you send it?" */
export const unprovenQuestion = (signal: Signal): string => `A file ${decisionOf(signal)}: did you send it?`;

/** The questions about files that answer this request. */
export const unprovenAnswers = (session: SessionState | null, request: string): readonly string[] =>
  session === null
    ? []
    : selectUnproven(session)
        .filter(({ signal }) => signal.type === 'ANSWER' && signal.request === request)
        .map(({ signal }) => unprovenQuestion(signal));

/** The command that confirms such a file. */
export const confirmCommand = (session: string, id: string): string =>
  sessionCommand(session, `signals confirm ${id.slice(0, 8)}`);

/** What the signal would decide, as the end of a sentence about it. */
const decisionOf = (signal: Signal): string => {
  const task = safe(signal.task ?? 'a task');
  switch (signal.type) {
    case 'APPROVE':
      return 'approves the lessons';
    case 'SKIP':
      return 'skips the knowledge gate';
    case 'RETRY':
      return `reopens ${task}`;
    case 'CANCEL':
      if (signal.request !== undefined) return 'ends an order that agents follow';
      return signal.task === undefined && signal.worker !== undefined
        ? `replaces ${safe(signal.worker)}`
        : `cancels ${task}`;
    case 'UNDO':
      return `undoes ${task}'s changes`;
    case 'REDO':
      return `redoes ${task}'s changes`;
    case 'RESUME':
      return 'resumes the work';
    case 'SET':
      return `sets ${Object.entries(signal.set ?? {})
        .map(([key, value]) => `${safe(key)} to ${safe(String(value))}`)
        .join(', ')}`;
    case 'ANSWER':
      return answerOf(signal);
    case 'INFO':
    case 'STEER':
    case 'PAUSE':
    case 'DRAIN':
    case 'ABORT':
      // These decide nothing, so none of them is asked about.
      return `says ${signal.type}`;
    default:
      return assertNever(signal.type);
  }
};

const answerOf = ({ request = '', option, message = '' }: Signal): string => {
  const answer = choiceNameOf(request, option ?? message);
  if (request !== planRequest) return `answers ${safe(request)} with "${safe(short(answer))}"`;
  if (option === 'replace') return 'replaces the plan with its own';
  const word = answer.trim().toLowerCase();
  if (word === 'approve') return 'approves the plan';
  return word === 'abort' ? 'aborts the session at the plan' : 'sends the plan back';
};

const short = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
