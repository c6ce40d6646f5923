import type { Signal } from './signal.ts';

/**
 * Whether only a person may answer this request: with a key or a command of this program, never with a file. An agent can write files, and it must not
 * approve its own work.
 */
export const isPersonal = (request: string): boolean => /^(?:review|merge|changes):/.test(request);

/**
 * What is remembered outside the workspace when a person answers, and compared when the signal is read: a name of its own for each request, and the
 * text of the answer.
 */
export const personalAnswer = (
  session: string,
  { request = '', option, message }: Pick<Signal, 'request' | 'option' | 'message'>,
): { readonly name: string; readonly text: string } => ({
  name: `${answerPrefix}${session} ${request}`,
  text: JSON.stringify([session, request, option ?? null, message ?? null]),
});

/** The beginning of such a name. */
export const answerPrefix = 'answer ';
