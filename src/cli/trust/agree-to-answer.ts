import { openQuestion } from '../../pipeline/questions/open-questions.ts';
import { personalAnswer } from '../../signals/personal-answer.ts';
import { questionKinds } from '../../signals/question-kinds.ts';
import type { Signal } from '../../signals/signal.ts';
import { type Cli, usage } from '../cli.ts';
import type { OpenSession } from '../session/open-session.ts';
import { rememberOwnText } from './trust-memory.ts';

/** Remembers that a person gives this answer. Throws a usage error inside a session: its agents must not approve their own work. */
export const agreeToAnswer = (cli: Cli, { world, paths, state }: OpenSession, signal: Signal): void => {
  const question = openQuestion(state, signal.request ?? '');
  if (question === null || !questionKinds[question.kind].onlyPerson) return;
  if (cli.env['RALPH_RUN'] !== undefined)
    throw usage(
      'a person answers this, and this command was started by an agent or a command of a session',
      'answer it on the screen, or in a terminal of your own',
    );
  // The mailbox writes the text without secrets.
  const written =
    signal.message === undefined ? signal : { ...signal, message: world.redact(signal.message) };
  const { name, text } = personalAnswer(paths.session, written);
  rememberOwnText(cli.env, world, paths.workspace, name, text);
};
