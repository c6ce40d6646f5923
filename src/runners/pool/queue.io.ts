import { PgBoss } from 'pg-boss';
import { FaultError } from '../../base/fault.ts';
import { type Database, databaseFault } from './database.io.ts';
import { jobsChannel, queueSchema } from './schema.ts';

/** Jobs that wait for a runner (pg-boss). A job is a signed text; retrying, deadlines and order of tasks are the engine's. */
export interface Queue {
  /** Sending a job again changes nothing. `group`: the host that waits for it. */
  send(queue: string, id: string, signed: string, group: string): Promise<void>;
  cancel(queue: string, id: string): Promise<void>;
  /** Takes up to `most` jobs, of hosts in turn. Each is ours until it is completed, or until `touch` misses its time. */
  fetch(queue: string, most: number): Promise<readonly { readonly id: string; readonly signed: string }[]>;
  touch(queue: string, ids: readonly string[]): Promise<void>;
  complete(queue: string, id: string, output: Readonly<Record<string, string>>): Promise<void>;
  close(): Promise<void>;
}

/** Seconds after which a job without a sign of life counts as abandoned, and the most that one takes: above every limit of a task. */
const heartbeatSeconds = 10;
const expireInSeconds = 86_400;
const keepSeconds = 604_800;

const shared = {
  schema: queueSchema,
  schedule: false,
  registerInstance: false,
  reindex: false,
  monitorVacuum: false,
  openTelemetry: { enabled: false },
} as const;

/** Makes the tables of the queue. */
export const installQueue = async (database: Database, queue: string): Promise<void> => {
  const boss = new PgBoss({ ...shared, db: adapterOf(database), supervise: false });
  boss.on('error', () => undefined);
  try {
    await boss.start();
    await boss.createQueue(queue, {
      policy: 'standard',
      heartbeatSeconds,
      expireInSeconds,
      retryLimit: 0,
      deleteAfterSeconds: keepSeconds,
    });
  } catch (error) {
    throw new FaultError(databaseFault(error));
  } finally {
    await boss.stop({ graceful: false });
  }
};

/** `supervises`: looks each second for jobs whose runner gives no sign of life. Hosts do. */
export const openQueue = async (database: Database, supervises: boolean): Promise<Queue> => {
  const boss = new PgBoss({
    ...shared,
    db: adapterOf(database),
    migrate: false,
    createSchema: false,
    supervise: supervises,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  });
  // A failure in the background is tried again a second later; a call that was asked for rejects.
  boss.on('error', () => undefined);
  const tried = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw new FaultError(databaseFault(error));
    }
  };
  await tried(boss.start()).catch(async (error: unknown) => {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw error;
  });
  /** When each host had its last turn here. */
  const served = new Map<string, number>();
  let turn = 0;
  return {
    send: async (queue, id, signed, group) => {
      await tried(boss.send(queue, { signed }, { id, group: { id: group } }));
      await database.query('select pg_notify($1, $2)', [jobsChannel, '1']);
    },
    cancel: async (queue, id) => void (await tried(boss.cancel(queue, id))),
    fetch: async (queue, most) => {
      const groups = await database.query(groupsSql, [queue]);
      const waiting = groups.filter(({ waits }) => waits === true);
      const turnOf = (group: unknown): number => served.get(String(group)) ?? 0;
      const [next] = waiting.toSorted(
        (one, two) =>
          Number(one['active']) - Number(two['active']) || turnOf(one['group_id']) - turnOf(two['group_id']),
      );
      if (next === undefined) return [];
      const ignoreGroups = waiting.flatMap(({ group_id: group }) =>
        typeof group === 'string' && group !== next['group_id'] ? [group] : [],
      );
      turn += 1;
      served.set(String(next['group_id']), turn);
      const batchSize = waiting.length === 1 ? most : 1;
      const jobs = await tried(boss.fetch<unknown>(queue, { batchSize, ignoreGroups }));
      return jobs.map(({ id, data }) => ({ id, signed: signedOf(data) }));
    },
    touch: async (queue, ids) => {
      if (ids.length > 0) await tried(boss.touch(queue, [...ids]));
    },
    complete: async (queue, id, output) => void (await tried(boss.complete(queue, id, output))),
    close: async () => void (await boss.stop({ graceful: false }).catch(() => undefined)),
  };
};

/** How many jobs of each host are worked on, and whether more of it wait: the next job is one of the host that has the fewest, and had no turn for longest. */
const groupsSql = `select group_id, count(*) filter (where state = 'active')::int as active, bool_or(state < 'active') as waits
from ${queueSchema}.job_common where name = $1 and state <= 'active' group by group_id`;

const adapterOf = ({ executeSql }: Database) => ({ executeSql });

const signedOf = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'signed' in data && typeof data.signed === 'string'
    ? data.signed
    : '';
