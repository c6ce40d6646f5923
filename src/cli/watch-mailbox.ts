import { join } from 'node:path';
import type { SessionPaths } from '../session/paths.ts';
import type { Store } from '../store/create-store.ts';
import { lookIntoMailbox } from './publish.ts';
import type { World } from './world.ts';

const lookEveryMs = 1_000;

/**
 * While nobody runs the session its screen looks into the mailbox itself: what was sent from here or elsewhere waits there, and no journal tells. The
 * whole mailbox is read only when the names of what is pending have changed. The answer stops it.
 */
export const watchMailbox = (world: World, paths: SessionPaths, store: Store): (() => void) => {
  const inputs = join(paths.signals, 'inputs');
  let seen: string | null = null;
  const look = (): void => {
    cancel = world.clock.after(lookEveryMs, look);
    if (store.getState().connection !== 'stopped') {
      seen = null;
      return;
    }
    const names = namesIn(world, inputs);
    if (names === seen) return;
    seen = names;
    // A long history is not read to learn that nothing waits.
    if (names === '' && !awaits(store)) return;
    const entries = lookIntoMailbox(world, paths).list();
    const pending = entries.flatMap(({ id, file, signal, stage }) =>
      stage === 'pending' && signal !== null ? [{ id, file, signal }] : [],
    );
    const withdrawn = new Map(
      entries.flatMap(({ id, handling }) =>
        handling?.action_taken === 'withdrawn'
          ? [[id, { by: handling.handled_by, at: handling.handled_at }] as const]
          : [],
      ),
    );
    store.act({ type: 'mailbox-seen', seen: { pending, withdrawn } });
  };
  let cancel = (): void => {};
  look();
  return () => cancel();
};

const awaits = (store: Store): boolean =>
  [...(store.getState().session?.signals.values() ?? [])].some(({ stage }) => stage === 'pending');

const namesIn = ({ disk }: World, directory: string): string => {
  try {
    return disk.lstat(directory)?.kind === 'directory' ? disk.readdir(directory).sort().join('\n') : '';
  } catch {
    return '';
  }
};
