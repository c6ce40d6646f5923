import { safe } from '../base/safe.ts';
import { actionKind, actionTaken } from '../signals/action-taken.ts';
import { isMessage } from '../signals/kinds.ts';
import { invocationIn, readerWords } from '../signals/reader-words.ts';
import type { Signal } from '../signals/signal.ts';
import { parseDecision } from '../signals/steer-decision.ts';
import type { TaskOf } from './events/subject-of.ts';
import { steerWords } from './steer-words.ts';

/** "the agent on english", from a name in an event. `task` is the one that the signal names. */
export const readerOf = (who: string, taskOf: TaskOf, task?: string): string =>
  safe(readerWords(who, taskOf(invocationIn(who)) ?? task ?? null));

const ways: Readonly<Record<string, string>> = {
  guidance: ', kept for later agents',
  injected: ' in its reply',
  'tool-result': ' with a tool result',
  prompt: ' with a new prompt',
};

/** How a message reached its reader, as the end of a sentence; '' where it was simply read. */
export const wayWords = (how: string): string => ways[how] ?? '';

/** What came of a signal. Of a broadcast the action names each reader: `Orchestrator~1: … · Executor~Executor-5: …`. */
export const handledWords = (
  signal: Pick<Signal, 'type' | 'task'>,
  { by, action, unanswered }: { readonly by: string; readonly action: string; readonly unanswered: boolean },
  taskOf: TaskOf,
): string => {
  if (!isMessage(signal.type)) return action === '' ? 'handled' : safe(action);
  const parts = action.split(/ · (?=\w+~\S+: )/).map((part) => {
    const [whole = '', who = ''] = /^(\w+~\S+): /.exec(part) ?? [];
    return readWords(
      readerOf(who === '' ? by : who, taskOf, signal.task),
      part.slice(whole.length),
      unanswered,
    );
  });
  return parts.join(' · ');
};

const readWords = (reader: string, action: string, unanswered: boolean): string => {
  if (unanswered) return `read by ${reader}, which gave no answer`;
  const kind = actionKind(action);
  if (action === '' || kind === 'added') return `read by ${reader}`;
  if (kind === 'guidance') return 'kept for later agents';
  if (kind === 'ended') return `${reader} ${actionTaken.ended}`;
  const decision = parseDecision(action);
  return decision === null ? `answered by ${reader}: ${safe(action)}` : `${reader} ${steerWords(decision)}`;
};
