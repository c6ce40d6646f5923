import { join } from 'node:path';
import type { Store } from '../../../components/create-store.ts';
import { endedWords } from '../../../components/frame/ended-words.ts';
import { namesIn } from '../../base/names-in.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { isComplete } from '../../session/status.ts';
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
  return endedWords(store.getState(), session);
};
