import { modeOf } from '../../src/pipeline/modes/index.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { worksOnWords } from '../../src/session/feedback-work.ts';
import { commandHere } from '../../src/words/session-command.ts';
import type { ViewState } from '../view.ts';

/** Why a complete session without a pending signal and without feedback cannot resume, and what could start its work again. */
export const endedWords = (view: ViewState, session: SessionState): string => {
  if (session.mode === 'loop')
    return 'Nothing to resume: the loop has ended. Reopen a turn ({steer.retry}), or start a new loop ({session.new})';
  const failed = [...session.tasks.values()].some((task) => task.status === 'failed');
  const words =
    modeOf(session).readsFeedback && worksOnWords(session.settings)
      ? `; new work: \`${commandHere(view, 'feedback add "what to fix"')}\``
      : '';
  return failed
    ? `Nothing to resume yet: {steer.retry} retries a failed task${words}`
    : 'Nothing to resume: the session has ended, and no feedback asks for another iteration';
};
