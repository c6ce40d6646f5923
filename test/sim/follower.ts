import { createStore, type Store } from '../../components/create-store.ts';
import type { ViewState } from '../../components/view.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import { evolve } from '../../src/pipeline/evolve.ts';
import type { SimulatedSession } from '../helpers/engine-session.ts';

/** A screen of another program: it knows the session only from its journal, which it reads on from where it was. */
export interface Follower {
  look(): void;
  /** Its machine went down with the others: it opens the session anew. */
  reopen(): void;
  readonly view: () => ViewState;
}

export const createFollower = (session: SimulatedSession): Follower => {
  let store = openStore(session);
  let offset = 0;
  return {
    look: () => {
      if ((session.disk.lstat(session.paths.journal)?.size ?? 0) === offset) return;
      const read = readJournal(session.disk, session.paths.journal, offset);
      offset = read.offset;
      for (const event of read.events) store.dispatch(event);
    },
    reopen: () => {
      store = openStore(session);
      offset = 0;
    },
    view: () => store.getState(),
  };
};

const openStore = (session: SimulatedSession): Store =>
  createStore({ clock: session.clock, evolve, connection: 'attached' });
