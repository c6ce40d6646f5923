import { acceptsFiles } from '../../../pipeline/agents/accepts-files.ts';
import type { Cli } from '../../cli.ts';
import type { OpenSession } from '../open-session.ts';
import { signAsPerson } from '../proof/signal-proof.ts';
import { sender, sendSignal } from '../publish.ts';
import { sendAnswer } from './send-answer.ts';
import type { Answer } from './wire.ts';

type Permit = Omit<Extract<Answer, { type: 'permit' }>, 'type' | 'pid'>;

/**
 * Answers a permission request of a session that another program runs. The reason of a refusal is published first, as on the screen: an agent that was
 * refused may end its turn at once, and reads it there. Resolves with `null`, or with the reason why it did not count.
 */
export const answerOverSocket = async (
  env: Cli['env'],
  session: OpenSession,
  answer: Permit,
  by = sender(),
): Promise<string | null> => {
  const { world, paths, state } = session;
  const open = state.permissions.get(answer.request);
  const asker = open && state.invocations.get(open.invocation);
  if (asker !== undefined && answer.decision === 'no' && answer.why !== undefined) {
    const { role: target, task } = asker;
    const words = { type: 'STEER', target, message: answer.why, from: by } as const;
    sendSignal(
      session,
      { ...words, ...(task === null ? {} : { task }) },
      signAsPerson(env, world, paths, by, acceptsFiles(state)),
    );
  }
  return sendAnswer(env, world, paths, { type: 'permit', ...answer });
};
