import type { Directive } from '../../agents/port.ts';
import type { WorkerMessage } from '../../issues/team/door.ts';
import type { Patience } from '../patience.ts';
import type { ToolAnswer } from '../tool.ts';
import { askPerson } from '../tools/ask-person.ts';
import { refused } from './claim-answers.ts';
import { doorOf, type LineState } from './worker-line.ts';

/** Passes the boundary of the work in hand. Its messages count as delivered once the worker confirms them. */
export const passBoundary = async (line: LineState, name: string): Promise<Directive> => {
  const work = line.ports.works.workOf(name);
  if (work === null) return { kind: 'go', messages: [] };
  const directive = await work.calls.boundary();
  if (directive.kind === 'go')
    for (const message of directive.messages) line.unconfirmed.set(message.id, { message, work });
  return directive;
};

/** Reports what became of messages: the worker read them, or they never arrived. */
export const confirm = (
  { unconfirmed }: LineState,
  ids: readonly string[],
  how: 'reached' | 'missed',
): void => {
  for (const id of ids) {
    const found = unconfirmed.get(id);
    unconfirmed.delete(id);
    found?.work.calls[how]([found.message]);
  }
};

/** Sends a message of the worker. An escalation waits for the answer of a person. */
export const sendMessage = async (
  line: LineState,
  name: string,
  sent: WorkerMessage,
  patience: Patience,
): Promise<ToolAnswer> => {
  const work = line.ports.works.workOf(name);
  if (sent.kind === 'escalation' && work === null) return refused('you have no task to escalate');
  const problem = doorOf(line).message(name, sent);
  if (problem !== null) return refused(problem);
  if (sent.kind !== 'escalation' || work === null) return { body: { sent: true } };
  return askPerson.call(work.calls, { question: sent.text }, patience);
};
