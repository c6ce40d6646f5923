import type { Fault } from '../../base/fault.ts';
import type { HostState, Joined } from './host-state.io.ts';
import { createPostbox } from './postbox.ts';
import { channelOf, poolSchema } from './schema.ts';
import { checkVersion } from './version.ts';

/** Two connections for statements, and one for notifications. */
export const joinPool = (state: HostState, lost: (why: Fault) => void): Promise<Joined> => {
  state.joined ??= connect(state, lost).catch((error: unknown) => {
    state.joined = null;
    throw error;
  });
  return state.joined;
};

const connect = async (state: HostState, lost: (why: Fault) => void): Promise<Joined> => {
  const { clock } = state.ports;
  const login = state.target.login();
  // The driver and the queue are loaded when a pool is used.
  const [{ openDatabase }, { openQueue }] = await Promise.all([
    import('./database.io.ts'),
    import('./queue.io.ts'),
  ]);
  const database = openDatabase(login.url, 2);
  try {
    await checkVersion(database);
    const queue = await openQueue(database, true);
    const postbox = createPostbox({
      clock,
      side: 'h',
      query: database.query,
      changed: (why) => {
        if (why !== null) lost(why);
      },
    });
    database.listen([channelOf(state.process)], postbox.hurry);
    await database.query(tidySql, [leftoverDays]);
    return { login, database, queue, postbox };
  } catch (error) {
    await database.close();
    throw error;
  }
};

/** The rows that nobody took away. */
const leftoverDays = 7;
const tidySql = `with rows as (delete from ${poolSchema}.rows where at < now() - make_interval(days => $1))
delete from ${poolSchema}.links where opened_at < now() - make_interval(days => $1)`;
