import { join } from 'node:path';
import { namesIn } from '../../base/names-in.ts';
import { modeOf } from '../../pipeline/modes/index.ts';
import { worksOnWords } from '../../session/feedback-work.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { isComplete } from '../../session/status.ts';
import type { Store } from '../../store/create-store.ts';
import { commandHere } from '../../words/session-command.ts';
import type { World } from '../world.ts';
import { feedbackWaits, waitsForAgent } from './feedback/feedback-waits.ts';

/** Explains why a complete session cannot resume: no pending signal and no feedback for another iteration. */
export const nothingToResume = (
  world: World,
  { paths, store }: { readonly paths: SessionPaths | null; readonly store: Store },
): string | null => {
  const { session } = store.getState();
  // A host that was killed at the very end has left work to finish.
  if (paths === null || !session || !isComplete(session) || session.running) return null;
  if (namesIn(world.disk, join(paths.signals, 'inputs')).length > 0) return null;
  const feedback = feedbackWaits(world, paths, session);
  if (feedback === 'ready') return null;
  if (feedback === 'agent') return waitsForAgent(session.session);
  if (session.mode === 'loop')
    return 'Nothing to resume: the loop has ended. Reopen a turn ({steer.retry}), or start a new loop ({session.new})';
  const failed = [...session.tasks.values()].some((task) => task.status === 'failed');
  const words =
    modeOf(session).readsFeedback && worksOnWords(session.settings)
      ? `; new work: \`${commandHere(store.getState(), 'feedback add "what to fix"')}\``
      : '';
  return failed
    ? `Nothing to resume yet: {steer.retry} reopens a failed task${words}`
    : 'Nothing to resume: the session is complete, and no feedback asks for another iteration';
};
