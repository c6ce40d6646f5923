import { join } from 'node:path';
import { namesIn } from '../base/names-in.ts';
import type { SessionPaths } from '../session/paths.ts';
import type { Store } from '../store/create-store.ts';
import type { SeenMailbox } from '../store/see-mailbox.ts';
import { feedbackWaits } from './feedback-waits.ts';
import { lookIntoMailbox } from './publish.ts';
import type { World } from './world.ts';

const lookEveryMs = 1_000;

/**
 * While nobody runs the session its screen looks itself for what waits there: signals that were sent from here or elsewhere, and feedback for another
 * iteration. No journal tells of either. The whole mailbox is read only when the names of what is pending have changed. The answer stops it.
 */
export const watchWaiting = (world: World, paths: SessionPaths, store: Store): (() => void) => {
  let seen: string | null = null;
  const look = (): void => {
    cancel = world.clock.after(lookEveryMs, look);
    seen = lookForWaiting(world, paths, store, seen);
  };
  let cancel = (): void => {};
  look();
  return () => cancel();
};

/** One such look; `seen` and the answer are the names of what is pending. */
export const lookForWaiting = (
  world: World,
  paths: SessionPaths,
  store: Store,
  seen: string | null = null,
): string | null => {
  const { connection, session, ui } = store.getState();
  if (connection !== 'stopped' || session === null) return null;
  const iteration = feedbackWaits(world, paths, session.iteration) ? session.iteration + 1 : null;
  if (iteration !== ui.feedbackFor) store.act({ type: 'feedback-seen', iteration });
  const names = namesIn(world.disk, join(paths.signals, 'inputs')).join('\n');
  // A long history is not read to learn that nothing waits.
  if (names !== seen && (names !== '' || awaits(store)))
    store.act({ type: 'mailbox-seen', seen: readMailbox(world, paths) });
  return names;
};

const readMailbox = (world: World, paths: SessionPaths): SeenMailbox => {
  const entries = lookIntoMailbox(world, paths).list();
  return {
    pending: entries.flatMap(({ id, file, signal, stage }) =>
      stage === 'pending' && signal !== null ? [{ id, file, signal }] : [],
    ),
    withdrawn: new Map(
      entries.flatMap(({ id, handling }) =>
        handling?.action_taken === 'withdrawn'
          ? [[id, { by: handling.handled_by, at: handling.handled_at }] as const]
          : [],
      ),
    ),
  };
};

const awaits = (store: Store): boolean =>
  [...(store.getState().session?.signals.values() ?? [])].some(({ stage }) => stage === 'pending');
