import { join } from 'node:path';
import type { Store } from '../../../components/create-store.ts';
import type { SeenMailbox } from '../../../components/mailbox/see-mailbox.ts';
import { namesIn } from '../../base/names-in.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { feedbackWaits } from '../session/feedback/feedback-waits.ts';
import { lookIntoMailbox } from '../session/publish.ts';
import type { World } from '../world.ts';

const lookEveryMs = 1_000;

/**
 * Polls a stopped session for pending signals and for feedback for another iteration: no journal reports
 * either. Reads the whole mailbox only when the names of the pending files have changed. Returns the function
 * that stops polling.
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

/** Looks once. Takes and returns the names of the pending files. */
export const lookForWaiting = (
  world: World,
  paths: SessionPaths,
  store: Store,
  seen: string | null = null,
): string | null => {
  const { connection, session, ui } = store.getState();
  if (connection !== 'stopped' || session === null) return null;
  const feedback = feedbackWaits(world, paths, session);
  const iteration = feedback === 'none' ? null : session.iteration + 1;
  const needsAgent = feedback === 'agent';
  if (iteration !== ui.feedbackFor || needsAgent !== ui.feedbackNeedsAgent)
    store.act({ type: 'feedback-seen', iteration, needsAgent });
  const names = namesIn(world.disk, join(paths.signals, 'inputs')).join('\n');
  // Skips a long history when nothing is pending.
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
        handling?.outcome === 'withdrawn'
          ? [[id, { by: handling.handled_by, at: handling.handled_at }] as const]
          : [],
      ),
    ),
  };
};

const awaits = (store: Store): boolean =>
  [...(store.getState().session?.signals.values() ?? [])].some(({ stage }) => stage === 'pending');
