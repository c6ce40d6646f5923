import type { Cancel } from '../../base/clock.ts';
import { foreignHello } from '../link/link.ts';
import type { Pipe } from '../link/pipe.ts';
import { answerEarlier } from './answer-earlier.io.ts';
import { createJobGate, type Job } from './job.io.ts';
import { createLinkKey, sealsOf } from './keys.io.ts';
import { createPostbox } from './postbox.ts';
import { createRowReader, createRowWriter } from './row-writer.ts';
import { type Active, claimText, type PoolRunnerPorts, type RunnerState } from './runner-state.io.ts';
import { channelOf, jobsChannel, poolSchema, visitsOf } from './schema.ts';

/** Works for the hosts of a pool, up to `slots` invocations at a time. */
export interface PoolRunner {
  /** Takes no further job. Resolves when those that it has are over. */
  finish(): Promise<void>;
  /** Ends all work now: it is kept for the hosts as late work, and each is told. */
  handBack(): Promise<void>;
}

const claimEveryMs = 1_000;
const beatEveryMs = 4_000;

/** Joins a pool. Rejects with a `FaultError` when it is not reached. */
export const createPoolRunner = async (ports: PoolRunnerPorts): Promise<PoolRunner> => {
  const { clock, database, runner, accept, pool } = ports;
  const state: RunnerState = {
    ports,
    gate: createJobGate({ accept, pool, runner, now: () => clock.now() }),
    ...{ process: ports.random.hex(16), active: new Map(), refused: new Map(), number: 0 },
    ...{ claiming: false, claimAgain: false, leaving: false, handingBack: false, stops: new Set<Cancel>() },
    empty: Promise.withResolvers<void>(),
    postbox: createPostbox({
      clock,
      side: 'r',
      query: database.query,
      changed: (why) => reachedOrLost(state, why?.what ?? null),
    }),
  };
  await beat(state);
  await answerEarlier(state);
  ports.said({ kind: 'joined', number: state.number });
  database.listen([channelOf(runner), jobsChannel, visitsOf(runner)], (channel) => {
    // A failure is tried again soon.
    if (channel === jobsChannel) void claim(state).catch(() => undefined);
    else if (channel === visitsOf(runner)) void visits(state).catch(() => undefined);
    else state.postbox.hurry();
  });
  every(state, claimEveryMs, () => claim(state));
  every(state, beatEveryMs, () => beat(state));
  return {
    finish: async () => {
      state.leaving = true;
      await beat(state).catch(() => undefined);
      if (state.active.size > 0) await state.empty.promise;
      await leave(state);
    },
    handBack: async () => {
      state.leaving = true;
      state.handingBack = true;
      await Promise.all([...state.active.values()].map((active) => giveBack(state, active)));
    },
  };
};

/** The host hears first that this side has ended: what its stopped agents say counts no more. */
const giveBack = async ({ ports }: RunnerState, { writer, served }: Active): Promise<void> => {
  writer.write(foreignHello(ports.program, ports.random.hex(16)));
  writer.close();
  await served.end();
};

/** Does something now and again. A database that is not reached is reached later. */
const every = (state: RunnerState, ms: number, work: () => Promise<void>): void => {
  let cancel: Cancel = () => undefined;
  const next = (): void => {
    state.stops.delete(cancel);
    void work()
      .catch(() => undefined)
      .finally(() => {
        cancel = state.ports.clock.after(ms, next);
        state.stops.add(cancel);
      });
  };
  next();
};

const leave = async (state: RunnerState): Promise<void> => {
  const { database, runner } = state.ports;
  for (const stop of state.stops) stop();
  await state.postbox.flushed();
  state.postbox.close();
  await database
    .query(`update ${poolSchema}.runners set leaving = true, busy = 0 where runner = $1`, [runner])
    .catch(() => undefined);
};

const reachedOrLost = (state: RunnerState, why: string | null): void => {
  state.ports.said(why === null ? { kind: 'reached' } : { kind: 'lost', why });
  for (const active of state.active.values())
    if (why === null) active.writer.hangUp();
    else {
      const { end } = active;
      active.end = null;
      end?.ended({ code: 'pool-unreachable', what: why });
    }
};

/** A number is taken only when a runner is new. */
const beatSql = `with known as (update ${poolSchema}.runners set name = $2, process = $3, program = $4, slots = $5, busy = $6, late = $7,
refused = $8, leaving = $9, seen_at = now() where runner = $1 returning number), made as (insert into ${poolSchema}.runners
(runner, name, process, program, slots, busy, late, refused, leaving) select $1, $2, $3, $4, $5, $6, $7, $8, $9
where not exists (select from known) returning number) select number from known union all select number from made`;

/** A sign of life of the runner and of its jobs. */
const beat = async (state: RunnerState): Promise<void> => {
  const { ports, active, refused, process, leaving } = state;
  const { runner, name, program, slots, queue, pool } = ports;
  const ids = [...active.values()].flatMap(({ id }) => id ?? []);
  const values = [runner, name, process, program, slots, ids.length, ports.late()];
  const counts = JSON.stringify(Object.fromEntries(refused));
  const [row] = await ports.database.query(beatSql, [...values, counts, leaving]);
  state.number = Number(row?.['number'] ?? 0);
  await queue.touch(pool, ids);
  await visits(state);
};

/** Hosts that ask about this runner: they need no slot. */
const visits = async (state: RunnerState): Promise<void> => {
  const { database, runner } = state.ports;
  const asked = await database.query(
    `select signed from ${poolSchema}.links where runner = $1 and job is null and claimed_at is null and opened_at > now() - interval '1 minute'`,
    [runner],
  );
  for (const { signed } of asked) await open(state, String(signed), null);
};

const claim = async (state: RunnerState): Promise<void> => {
  const { queue, pool, slots } = state.ports;
  state.claimAgain = state.claiming;
  if (state.claiming) return;
  state.claiming = true;
  try {
    do {
      state.claimAgain = false;
      const busy = [...state.active.values()].filter(({ id }) => id !== null).length;
      if (state.leaving || busy >= slots) break;
      for (const { id, signed } of await queue.fetch(pool, slots - busy)) {
        await open(state, signed, id);
        state.claimAgain = true;
      }
    } while (state.claimAgain);
  } finally {
    state.claiming = false;
  }
};

/** Takes a job, or refuses and counts it. */
const open = async (state: RunnerState, signed: string, id: string | null): Promise<void> => {
  const { ports, gate, refused } = state;
  const taken = gate.take(signed);
  const why =
    'refused' in taken ? taken.refused : (taken.job.work === null) === (id === null) ? null : 'forged';
  if (!('job' in taken) || why !== null) {
    const reason = why ?? 'forged';
    if (id === null && reason === 'replayed') return;
    refused.set(reason, (refused.get(reason) ?? 0) + 1);
    ports.said({ kind: 'refused', why: reason });
    if (id !== null) await ports.queue.complete(ports.pool, id, { refused: reason });
    return;
  }
  await begin(state, taken.job, signed, id);
};

const begin = async (state: RunnerState, job: Job, signed: string, id: string | null): Promise<void> => {
  const { ports } = state;
  const { link, channel, work } = job;
  const key = createLinkKey();
  const text = claimText(state, job, signed, key.publicText);
  const seals = sealsOf(key, job.key, [signed, text]);
  if (seals === null) return;
  const served = ports.serve(link, work);
  const writer = createRowWriter(ports.clock, ports.clock.now());
  const read = createRowReader(seals.host.open);
  const desk = state.postbox.join(link, (n, body) => {
    const row = read(n, body);
    if (row === null) hangUp(active);
    else if (row.connection >= active.connection) {
      if (row.connection > active.connection) attach(active, row.connection);
      for (const line of row.lines) active.end?.line(line);
    }
  });
  const active: Active = { job, id, served, desk, writer, connection: 0, pipe: null, end: null };
  state.active.set(link, active);
  if (work !== null) ports.said({ kind: 'claimed', work });
  void served.over.then(() => over(state, active)).catch(() => undefined);
  desk.post(0, Buffer.from(text), channelOf(channel));
  writer.begin((n, body) => desk.post(n, seals.runner.close(n, body), channelOf(channel)));
  await ports.database.query(
    `update ${poolSchema}.links set runner = $2, process = $3, claimed_at = now() where link = $1`,
    [link, ports.runner, state.process],
  );
};

/** Takes the connection that the host has begun. */
const attach = (active: Active, connection: number): void => {
  const { writer, served } = active;
  active.end?.ended(null);
  active.connection = connection;
  writer.connect(connection);
  const pipe: Pipe = {
    write: writer.write,
    close: () => {
      if (active.pipe !== pipe) return;
      active.end = null;
      writer.hangUp();
    },
  };
  active.pipe = pipe;
  active.end = served.attach(pipe);
};

/** The host begins another connection. */
const hangUp = (active: Active): void => {
  const { end } = active;
  active.end = null;
  end?.ended(null);
  active.writer.hangUp();
};

/** A link is over: its rows go, and its slot is free. */
const over = async (state: RunnerState, { job, id, desk, writer }: Active): Promise<void> => {
  const { database, queue, pool, said } = state.ports;
  const { link, work } = job;
  writer.flush();
  await state.postbox.flushed();
  desk.leave();
  if (work !== null) said({ kind: 'ended', work });
  try {
    if (id !== null) await queue.complete(pool, id, {});
    await database.query(`update ${poolSchema}.links set ended_at = now() where link = $1`, [link]);
    // The host has gone, unless this tells it that the work is handed back.
    const unread = state.handingBack ? "and side = 'h'" : '';
    await database.query(`delete from ${poolSchema}.rows where link = $1 ${unread}`, [link]);
  } catch {
    // The host's sweep and the bound of 7 days do the same.
  }
  // A runner that finishes waits for this.
  state.active.delete(link);
  if (!state.leaving) void claim(state).catch(() => undefined);
  else if (state.active.size === 0) state.empty.resolve();
};
