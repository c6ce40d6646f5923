import { type Fault, toFault } from '../../base/fault.ts';
import type { Carrier, CarrierEnds, Offer } from '../carriers/carrier.ts';
import type { Pipe } from '../link/pipe.ts';
import type { HostState, Joined, Linked, Login, PoolCarrierPorts, PoolTarget } from './host-state.io.ts';
import { readClaim } from './job.io.ts';
import { joinPool } from './join-pool.io.ts';
import { createLinkKey, digestOf, sealsOf } from './keys.io.ts';
import { createRowReader, createRowWriter, everyConnection } from './row-writer.ts';
import { channelOf } from './schema.ts';
import { leftLinks, refusalOf, sendJob, takeBack } from './send-job.io.ts';

const lookEveryMs = 1_000;
const looksToRefusal = 3;
/** Links to the runners of a pool: jobs by its queue, lines by rows that only the two sides can read. */
export const createPoolCarrier = (ports: PoolCarrierPorts, target: PoolTarget): Carrier => {
  const state: HostState = {
    ...{ ports, target, process: ports.random.hex(16), epoch: ports.clock.now() },
    ...{ joined: null, links: new Map(), visits: new Map() },
  };
  return {
    kind: 'pool',
    hints: { 'link-silent': '`ralph-tui pool status` shows the runners' },
    open: (link, ends, offer) => openLink(state, link, ends, offer ?? null),
    release: (link) => release(state, link),
    left: async () => (target.session === null ? [] : leftLinks(state, await join(state))),
    close: () => void close(state),
  };
};

const openLink = (state: HostState, link: string, ends: CarrierEnds, offer: Offer | null): Pipe => {
  const linked = state.links.get(link) ?? createLinked(state, link, offer);
  state.links.set(link, linked);
  linked.ends = ends;
  linked.connection += 1;
  linked.writer.connect(linked.connection);
  linked.desk?.withdraw();
  void begin(state, linked, ends);
  return {
    write: linked.writer.write,
    close: () => {
      if (linked.ends === ends) linked.ends = null;
    },
  };
};

const createLinked = ({ ports, visits }: HostState, link: string, offer: Offer | null): Linked => {
  const linked: Linked = {
    ...{ link, offer, key: createLinkKey(), visited: visits.get(link) ?? null, signed: '', sent: false },
    ...{ ends: null, connection: 0, desk: null, claim: null, claims: new Set<string>(), read: null },
    cancel: () => undefined,
    writer: createRowWriter(ports.clock, 1),
  };
  return linked;
};

/** Joins the pool, sends the job unless that is done, and looks at the queue until a runner has claimed it. */
const begin = async (state: HostState, linked: Linked, ends: CarrierEnds): Promise<void> => {
  try {
    const joined = await join(state);
    if (state.links.get(linked.link) !== linked) return;
    linked.desk ??= joined.postbox.join(linked.link, (n, body) =>
      taken(state, joined.login, linked, n, body),
    );
    if (!linked.sent) await sendJob(state, joined, linked);
    linked.sent = true;
    if (state.links.get(linked.link) === linked) wait(state, linked);
    else {
      linked.desk.leave();
      await takeBack(state, joined, linked);
    }
  } catch (error) {
    if (linked.ends === ends) ended(linked, { ...toFault(error), where: `runner ${state.target.name}` });
  }
};

const join = (state: HostState): Promise<Joined> =>
  joinPool(state, (why) => {
    for (const linked of state.links.values()) ended(linked, why);
  });

const ended = (linked: Linked, why: Fault): void => {
  const { ends } = linked;
  linked.ends = null;
  linked.cancel();
  ends?.ended(why);
};

/** Says each second that it waits, and looks now and then whether it waits in vain. */
const wait = (state: HostState, linked: Linked, looks = 1): void => {
  linked.cancel();
  if (linked.claim !== null || linked.offer === null) return;
  linked.ends?.waits();
  if (looks % looksToRefusal === 0) void lookForRefusal(state, linked);
  linked.cancel = state.ports.clock.after(lookEveryMs, () => wait(state, linked, looks + 1));
};

const lookForRefusal = async (state: HostState, linked: Linked): Promise<void> => {
  try {
    const why = await refusalOf(state, await join(state), linked);
    if (why !== null && linked.claim === null)
      ended(linked, { ...why, where: `runner ${state.target.name}` });
  } catch {
    // A database that is not reached ends the connection by itself.
  }
};

/** Takes a row of the runner's side. A row of any other runner than the one that claimed the job counts for nothing. */
const taken = (state: HostState, login: Login, linked: Linked, n: number, body: Uint8Array): void => {
  if (n === 0) takeClaim(state, login, linked, Buffer.from(body).toString());
  else {
    if (linked.read === null) return;
    const row = linked.read(n, body);
    if (row === null) ended(linked, altered);
    else if ([linked.connection, everyConnection].includes(row.connection)) {
      if (row.lines.length === 0) ended(linked, hungUp);
      for (const line of row.lines) linked.ends?.line(line);
    }
  }
};

const altered: Fault = { code: 'pool-altered', what: 'a message was lost or altered in the database' };
const hungUp: Fault = { code: 'pool-hung-up', what: 'the runner ended the connection' };

const takeClaim = (state: HostState, { accept }: Login, linked: Linked, text: string): void => {
  const claim = readClaim(accept, text, { link: linked.link, job: linked.signed });
  if (claim === null || linked.claims.has(digestOf(text))) return;
  // The same runner claims again when its process was killed. No other one may: it has none of the work.
  if (linked.claim !== null && linked.claim.runner !== claim.runner) return;
  const seals = sealsOf(linked.key, claim.key, [linked.signed, text]);
  if (seals === null) return;
  linked.claims.add(digestOf(text));
  const isFirst = linked.claim === null;
  linked.claim = claim;
  linked.read = createRowReader(seals.runner.open);
  const { desk } = linked;
  linked.writer.begin((n, body) => desk?.post(n, seals.host.close(n, body), channelOf(claim.runner)));
  if (isFirst && linked.offer !== null) state.target.claimed(linked.offer.invocation, claim.number);
};

/** The last lines still go out. A job that nobody has claimed is not needed any more. */
const release = (state: HostState, link: string): void => {
  const linked = state.links.get(link);
  state.links.delete(link);
  if (linked === undefined) return;
  linked.cancel();
  linked.ends = null;
  linked.writer.flush();
  linked.desk?.leave();
  // A job that is on its way to the queue is taken out when it is there.
  if (linked.sent)
    join(state)
      .then((joined) => takeBack(state, joined, linked))
      // The database may be gone: a runner that claims the job later finds no host, and gives it up.
      .catch(() => undefined);
};

const close = async (state: HostState): Promise<void> => {
  const joined = await state.joined?.catch(() => null);
  state.joined = null;
  if (!joined) return;
  await joined.postbox.flushed();
  joined.postbox.close();
  await joined.queue.close();
  await joined.database.close();
};
