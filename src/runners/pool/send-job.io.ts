import { type Fault, FaultError } from '../../base/fault.ts';
import type { Database } from './database.io.ts';
import { type HostState, type Joined, type Linked, workOf } from './host-state.io.ts';
import { type Job, jobId, signJob } from './job.io.ts';
import { groupOf, poolSchema, queueSchema, visitsOf } from './schema.ts';

/** Milliseconds that a job may wait in the queue. */
const waitsMs = 86_400_000;
/** Seconds without a sign of life after which a runner is not asked. It gives one every four. */
const aliveSeconds = 10;

/** Puts the job of a link into the queue, or asks one runner about itself. */
export const sendJob = async (
  state: HostState,
  { login, database, queue }: Joined,
  linked: Linked,
): Promise<void> => {
  const { ports, target, process, epoch } = state;
  const { link, offer, key } = linked;
  const work = offer === null ? null : workOf(offer);
  if (work === null) linked.visited ??= await liveRunner(database, target.name);
  const now = ports.clock.now();
  const job: Job = {
    ...{ link, pool: target.queue, work, channel: process, epoch, key: key.publicText },
    ...(linked.visited === null ? {} : { to: linked.visited }),
    ...{ issued: now, expires: now + waitsMs },
  };
  if (linked.signed === '') linked.signed = signJob(login.identity, job);
  const id = work === null ? null : jobId(work, link);
  await database.query(
    `insert into ${poolSchema}.links (link, job, queue, host, session, task, signed, runner) values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
    [
      link,
      id,
      target.queue,
      process,
      work?.session ?? null,
      work?.task ?? null,
      linked.signed,
      linked.visited,
    ],
  );
  if (id !== null) await queue.send(target.queue, id, linked.signed, groupOf(login.identity.publicKey));
  else await database.query('select pg_notify($1, $2)', [visitsOf(linked.visited ?? ''), '1']);
};

/** Why no runner will claim a job any more; `null`: one may. A runner that refuses a job says why in its row. */
export const refusalOf = async (
  { target }: HostState,
  { database }: Joined,
  { claim, offer, link }: Linked,
): Promise<Fault | null> => {
  if (claim !== null || offer === null) return null;
  const [job] = await database.query(
    `select state, output->>'refused' as refused from ${queueSchema}.job where name = $1 and id = $2`,
    [target.queue, jobId(workOf(offer), link)],
  );
  const state = job?.['state'];
  if (state === undefined || state === 'created' || state === 'active') return null;
  const refused = job?.['refused'];
  return {
    code: 'pool-refused',
    what:
      typeof refused === 'string'
        ? `a runner of the pool refused the work (${refused})`
        : `the job of the work is over (${String(state)}), though no runner has claimed it`,
    hint: 'the runner prints why, and `ralph-tui pool status` counts what each refused',
  };
};

/** Takes a job out of the queue that nobody has claimed. */
export const takeBack = async (
  { target }: HostState,
  { database, queue }: Joined,
  { claim, offer, link }: Linked,
): Promise<void> => {
  if (claim !== null || offer === null) return;
  await queue.cancel(target.queue, jobId(workOf(offer), link));
  await database.query(`delete from ${poolSchema}.links where link = $1 and claimed_at is null`, [link]);
};

const liveRunner = async (database: Database, name: string): Promise<string> => {
  const [found] = await database.query(
    `select runner from ${poolSchema}.runners where not leaving and seen_at > now() - make_interval(secs => $1) order by seen_at desc limit 1`,
    [aliveSeconds],
  );
  if (typeof found?.['runner'] === 'string') return found['runner'];
  throw new FaultError({
    code: 'pool-no-runner',
    what: 'no runner of the pool is there',
    where: `runner ${name}`,
    hint: 'start one with `ralph-tui runner --pool env:RALPH_POOL_URL`',
  });
};

/** Runners with work of earlier processes of the session, each by a link of its own. */
export const leftLinks = async (state: HostState, { database }: Joined): Promise<readonly string[]> => {
  const { session } = state.target;
  if (session === null) return [];
  const rows = await database.query(leftSql, [session, state.process, aliveSeconds]);
  return rows.map(({ runner }) => {
    const link = state.ports.random.hex(16);
    state.visits.set(link, String(runner));
    return link;
  });
};

/** A runner that gives no sign of life may still work for an earlier process: it is asked, too, and its silence is a fault. */
const leftSql = `select runner from ${poolSchema}.runners where (seen_at > now() - make_interval(secs => $3) and $1 = any(late)) or exists
(select from ${poolSchema}.links where links.runner = runners.runner and links.session = $1 and host <> $2 and claimed_at > now() - interval '1 day' and ended_at is null)`;
