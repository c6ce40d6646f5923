import { openDatabase, type Row } from '../../runners/pool/database.io.ts';
import { poolSchema, queueSchema } from '../../runners/pool/schema.ts';
import { checkVersion } from '../../runners/pool/version.ts';

/** A runner, as it last said of itself. */
export interface PoolRunnerRow {
  readonly number: number;
  readonly name: string;
  readonly program: string;
  readonly slots: number;
  readonly busy: number;
  readonly leaving: boolean;
  readonly seen_s: number;
  /** Jobs that it refused, by reason. */
  readonly refused: Readonly<Record<string, number>>;
}

/** Work that a runner has claimed. */
export interface PoolLease {
  readonly session: string;
  readonly task: string | null;
  readonly runner: number | null;
  readonly age_s: number;
}

export interface PoolStatus {
  readonly queues: readonly {
    readonly queue: string;
    readonly waiting: number;
    readonly active: number;
    readonly done: number;
    /** Jobs whose runner gave no sign of life, or that took longer than a day. */
    readonly dead: number;
  }[];
  readonly runners: readonly PoolRunnerRow[];
  readonly leases: readonly PoolLease[];
  readonly rows: number;
  readonly bytes: number;
}

/** What a pool has now. Throws a `FaultError` when it is not reached. */
export const readPoolStatus = async (url: string): Promise<PoolStatus> => {
  const database = openDatabase(url, 1);
  try {
    await checkVersion(database);
    const queues = await database.query(queuesSql);
    const runners = await database.query(runnersSql);
    const leases = await database.query(leasesSql);
    const [size] = await database.query(sizeSql);
    return {
      queues: queues.map((row) => ({
        queue: text(row, 'name'),
        waiting: count(row, 'waiting'),
        active: count(row, 'active'),
        done: count(row, 'done'),
        dead: count(row, 'dead'),
      })),
      runners: runners.map((row) => ({
        number: count(row, 'number'),
        name: text(row, 'name'),
        program: text(row, 'program'),
        slots: count(row, 'slots'),
        busy: count(row, 'busy'),
        leaving: row['leaving'] === true,
        seen_s: count(row, 'seen_s'),
        refused: countsOf(row['refused']),
      })),
      leases: leases.map((row) => ({
        session: text(row, 'session'),
        task: row['task'] === null ? null : text(row, 'task'),
        runner: row['number'] === null ? null : count(row, 'number'),
        age_s: count(row, 'age_s'),
      })),
      rows: count(size, 'rows'),
      bytes: count(size, 'bytes'),
    };
  } finally {
    await database.close();
  }
};

const text = (row: Row | undefined, key: string): string => String(row?.[key] ?? '');
const count = (row: Row | undefined, key: string): number => Number(row?.[key] ?? 0);
const countsOf = (value: unknown): Readonly<Record<string, number>> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, Number(each)]))
    : {};

const queuesSql = `select q.name, count(j.id) filter (where j.state < 'active') as waiting, count(j.id) filter (where j.state = 'active') as active,
count(j.id) filter (where j.state = 'completed') as done, count(j.id) filter (where j.state = 'failed') as dead
from ${queueSchema}.queue q left join ${queueSchema}.job j on j.name = q.name where q.name not like '\\_\\_%' group by q.name order by q.name`;
const runnersSql = `select *, extract(epoch from now() - seen_at)::int as seen_s from ${poolSchema}.runners where seen_at > now() - interval '1 day' order by number`;
const leasesSql = `select l.session, l.task, r.number, extract(epoch from now() - l.claimed_at)::int as age_s from ${poolSchema}.links l
left join ${poolSchema}.runners r on r.runner = l.runner where l.session is not null and l.claimed_at is not null and l.ended_at is null order by l.claimed_at`;
const sizeSql = `select (select count(*) from ${poolSchema}.rows) as rows, (select coalesce(sum(pg_total_relation_size(c.oid)), 0) from pg_class c
join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('${poolSchema}', '${queueSchema}') and c.relkind = 'r') as bytes`;
