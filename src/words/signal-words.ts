import { assertNever } from '../base/assert-never.ts';
import { safe } from '../base/safe.ts';
import { choiceNameOf } from '../signals/question-kinds.ts';
import type { Signal } from '../signals/signal.ts';
import { count } from './local-time.ts';

/** What a signal asks for, in one line: its message, and for a type that says it without one what it does. Never ''. */
export const signalWords = (signal: Signal): string => {
  const asked = askedBy(signal);
  const message = safe(signal.message ?? '');
  return [asked, message].filter((part) => part !== '').join(': ');
};

/** "retries.max_attempts = 5, permissions = edits". */
export const settingsWords = (set: Readonly<Record<string, unknown>>): string =>
  Object.entries(set)
    .map(([key, value]) => safe(`${key} = ${typeof value === 'string' ? value : JSON.stringify(value)}`))
    .join(', ');

const askedBy = (signal: Signal): string => {
  switch (signal.type) {
    case 'INFO':
    case 'STEER':
      return signal.message ? '' : 'no text';
    case 'PAUSE':
      return 'hold the session';
    case 'RESUME':
      return 'continue now';
    case 'DRAIN':
      return 'finish running work, then stop';
    case 'ABORT':
      return 'end the session';
    case 'APPROVE':
      return signal.promote === undefined
        ? 'keep all lessons'
        : `keep ${count(signal.promote.length, 'lesson')}`;
    case 'SKIP':
      return 'keep no lessons';
    case 'RETRY':
      return 'try again';
    case 'CANCEL':
      return signal.request === undefined ? 'cancel it' : 'take the order back';
    case 'UNDO':
      return 'undo its changes';
    case 'REDO':
      return 'redo its changes';
    case 'ANSWER':
      return safe(choiceNameOf(signal.request ?? '', signal.option ?? ''));
    case 'SET':
      return settingsWords(signal.set ?? {});
    default:
      return assertNever(signal.type);
  }
};
