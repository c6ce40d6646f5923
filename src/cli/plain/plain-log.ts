import { gapWords } from '../../../components/output/mutable-log.ts';
import { safe, safeOutput } from '../../base/safe.ts';
import type { Event, EventOf } from '../../pipeline/event.ts';
import { planRequest } from '../../pipeline/questions/open-questions.ts';
import { createEventSentences } from '../../words/events/event-sentence.ts';
import { answerWords } from '../../words/session-command.ts';
import { createPermissionFold } from './fold-permissions.ts';

/** Characters. Longer lines are printed in parts, so that output without newlines cannot fill the memory. */
const longestLine = 4_000;

/**
 * Prints a running session: events as lines that begin with the time, and the commands' output as whole lines
 * that begin with the task. `hasPrompt`: a person types under it, so a line below each question says what to type.
 */
export const createPlainLog = (
  print: (line: string) => void,
  { hasPrompt = false }: { readonly hasPrompt?: boolean } = {},
): ((event: Event) => void) => {
  const unfinished = new Map<string, { readonly name: string; readonly rest: string }>();
  const flush = (invocation: string): void => {
    const left = unfinished.get(invocation);
    unfinished.delete(invocation);
    if (left) print(`         ${left.name} | ${safe(safeOutput(left.rest))}`);
  };
  const write = (event: EventOf<'output.written'>): void => {
    const name = safe(event.task ?? event.invocation);
    if (event.skipped !== undefined) {
      flush(event.invocation);
      print(`         ${name} | ${gapWords(event.skipped)}`);
    }
    const lines = `${unfinished.get(event.invocation)?.rest ?? ''}${event.text}`.split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) print(`         ${name} | ${safe(safeOutput(line))}`);
    if (rest === '') unfinished.delete(event.invocation);
    else unfinished.set(event.invocation, { name, rest });
    if (rest.length > longestLine) flush(event.invocation);
  };
  const fold = createPermissionFold();
  const sentence = createEventSentences();
  return (event) => {
    if (event.type === 'output.written') return write(event);
    if (event.type === 'command.ended') flush(event.invocation);
    const { before, isHidden, next } = fold(event);
    const lines = [
      ...before,
      ...(isHidden ? [] : [sentence(event)]),
      ...(next === null ? [] : [sentence(next)]),
    ];
    for (const line of lines) if (line !== null) print(`${event.at.slice(11, 19).padEnd(8)} ${line}`);
    const typed = hasPrompt ? typedAnswer(event) : null;
    if (typed !== null) print(`         to answer, type: ${typed}`);
  };
};

/** What is typed at the prompt to answer the event; `null` where it asks nothing. */
const typedAnswer = (event: Event): string | null => {
  if (event.type === 'question.asked') return answerWords(event);
  if (event.type !== 'gate.opened') return null;
  return event.gate === 'knowledge'
    ? 'approve, or skip'
    : answerWords({ request: planRequest, options: [{ id: 'approve', label: '' }] });
};
