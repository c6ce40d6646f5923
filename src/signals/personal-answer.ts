import type { Signal } from './signal.ts';

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
