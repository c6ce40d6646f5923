import type { Cancel, Clock } from '../../base/clock.ts';
import { type Fault, toFault } from '../../base/fault.ts';
import { poolSchema } from './schema.ts';

/** The rows of all links of one process: polling each second is the truth, and a notification only makes it sooner. */
export interface Postbox {
  /** Takes the rows of the other side of a link, in order of their numbers. */
  join(link: string, taken: (n: number, body: Uint8Array) => void): Desk;
  /** Polls at once. */
  hurry(): void;
  /** Everything that was posted is in the database, or lost with it. */
  flushed(): Promise<void>;
  close(): void;
}

/** One link in the postbox of a process. */
export interface Desk {
  /** Writes a row. `to`: the channel at which the other side hears. */
  post(n: number, body: Uint8Array, to: string): void;
  /** Removes the rows of our side that nobody has read: the link sends again what is in them. */
  withdraw(): void;
  leave(): void;
}

interface PostboxPorts {
  readonly clock: Clock;
  readonly query: (
    text: string,
    values: readonly unknown[],
  ) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** `h`: a host, `r`: a runner. */
  readonly side: 'h' | 'r';
  /** The database is not reached (why), or is reached again (`null`). */
  readonly changed: (why: Fault | null) => void;
}

interface Member {
  readonly taken: (n: number, body: Uint8Array) => void;
  /** The number of the last row that was handed on, and whether the database still has it. */
  read: number;
  unremoved: boolean;
  /** The number of our last row. */
  posted: number;
}

interface Posted {
  readonly link: string;
  readonly n: number;
  readonly body: Uint8Array;
  readonly to: string;
}

interface State {
  readonly ports: PostboxPorts;
  readonly members: Map<string, Member>;
  posted: Posted[];
  flushing: Promise<void> | null;
  polling: boolean;
  /** Something may have come since the poll that runs began. */
  again: boolean;
  down: boolean;
  closed: boolean;
  cancel: Cancel;
}

const pollMs = 1_000;
/** Bytes of one batch, and rows that are read at once. */
const batchBytes = 2_097_152;
const readRows = 100;

export const createPostbox = (ports: PostboxPorts): Postbox => {
  const state: State = {
    ...{ ports, members: new Map(), posted: [], flushing: null },
    ...{ polling: false, again: false, down: false, closed: false, cancel: () => undefined },
  };
  return {
    join: (link, taken) => {
      const member: Member = { taken, read: -1, unremoved: false, posted: 0 };
      state.members.set(link, member);
      if (state.members.size === 1) void poll(state);
      return {
        post: (n, body, to) => {
          member.posted = Math.max(member.posted, n);
          state.posted.push({ link, n, body, to });
          flush(state);
        },
        withdraw: () => {
          state.posted = state.posted.filter((row) => row.link !== link || row.n === 0);
          void ask(state, withdrawSql, [link, ports.side, member.posted]);
        },
        leave: () => {
          if (state.members.get(link) === member) state.members.delete(link);
        },
      };
    },
    hurry: () => void poll(state),
    flushed: async () => {
      while (state.flushing !== null || (state.posted.length > 0 && !state.down && !state.closed)) {
        await (state.flushing ?? new Promise<void>((resolve) => ports.clock.after(10, resolve)));
      }
    },
    close: () => {
      state.closed = true;
      state.cancel();
    },
  };
};

const withdrawSql = `delete from ${poolSchema}.rows where link = $1 and side = $2 and n between 1 and $3`;

/** Rows that were asked for; `null`: the database was not reached, which `changed` hears. */
const ask = async (
  state: State,
  text: string,
  values: readonly unknown[],
): Promise<readonly Readonly<Record<string, unknown>>[] | null> => {
  try {
    const rows = await state.ports.query(text, values);
    if (state.down && !state.closed) {
      state.down = false;
      state.ports.changed(null);
    }
    return rows;
  } catch (error) {
    if (state.closed) return null;
    state.posted = [];
    state.down = true;
    state.ports.changed(toFault(error));
    return null;
  }
};

/** Removes what was read before, and reads what came since. */
const pollSql = `with read as (select * from unnest($2::text[], $3::bigint[], $4::boolean[]) as k(link, n, gone)),
gone as (delete from ${poolSchema}.rows using read where read.gone and rows.side = $1 and rows.link = read.link and rows.n <= read.n)
select rows.link, rows.n::float8 as n, rows.body from ${poolSchema}.rows join read using (link)
where rows.side = $1 and (rows.n > read.n or rows.n = 0) order by rows.link, rows.n limit ${readRows}`;

const poll = async (state: State): Promise<void> => {
  if (state.polling) {
    state.again = true;
    return;
  }
  state.cancel();
  if (state.closed || state.members.size === 0) return;
  state.polling = true;
  do {
    state.again = false;
    const asked = [...state.members];
    const rows = await ask(state, pollSql, [
      state.ports.side === 'h' ? 'r' : 'h',
      asked.map(([link]) => link),
      asked.map(([, { read }]) => read),
      asked.map(([, { unremoved }]) => unremoved),
    ]);
    if (rows === null) break;
    for (const [, member] of asked) member.unremoved = false;
    for (const row of rows) take(state, row);
    // Rows that were read are removed soon, so that one is rarely seen twice and a full page is followed by the next one.
    if (rows.length === readRows) state.again = true;
  } while (state.again && !state.closed);
  state.polling = false;
  if (!state.closed && state.members.size > 0)
    state.cancel = state.ports.clock.after(pollMs, () => void poll(state));
};

const take = ({ members }: State, { link, n, body }: Readonly<Record<string, unknown>>): void => {
  const member = typeof link === 'string' ? members.get(link) : undefined;
  if (member === undefined || typeof n !== 'number' || !(body instanceof Uint8Array)) return;
  // Claims are all number 0; the rows behind them only increase.
  member.read = Math.max(member.read, n);
  member.unremoved = true;
  member.taken(n, body);
};

const flush = (state: State): void => {
  if (state.flushing !== null || state.closed) return;
  state.flushing = write(state).finally(() => {
    state.flushing = null;
    if (state.posted.length > 0) flush(state);
  });
};

/** Writes what was posted together as one statement, with one notification for each process that it concerns. */
const writeSql = `with put as (insert into ${poolSchema}.rows (link, side, n, body)
select link, $1, n, body from unnest($2::text[], $3::bigint[], $4::bytea[]) as r(link, n, body)
on conflict (link, side, n) do update set body = excluded.body, at = now() returning 1)
select pg_notify(channel, (select count(*) from put)::text) from unnest($5::text[]) as c(channel)`;

const write = async (state: State): Promise<void> => {
  const { clock, side } = state.ports;
  // Lines that several links write in one turn go together.
  await new Promise<void>((resolve) => clock.after(0, resolve));
  const batch: Posted[] = [];
  let bytes = 0;
  while (state.posted.length > 0 && bytes < batchBytes) {
    const row = state.posted.shift();
    if (row === undefined) break;
    batch.push(row);
    bytes += row.body.length;
  }
  if (batch.length === 0) return;
  await ask(state, writeSql, [
    side,
    batch.map(({ link }) => link),
    batch.map(({ n }) => n),
    batch.map(({ body }) => Buffer.from(body)),
    [...new Set(batch.map(({ to }) => to))],
  ]);
};
