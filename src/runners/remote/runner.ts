import type { Cancel, Clock } from '../../base/clock.ts';
import { type Fault, FaultError } from '../../base/fault.ts';
import type { Random } from '../../base/random.ts';
import type { Carrier, Offer } from '../carriers/carrier.ts';
import type { Peer } from '../link/peer.io.ts';
import type { LinkState } from '../link/pipe.ts';
import { type Connection, createConnection, type Described } from './connection.ts';
import { type Lent, serveHost } from './serve-host.ts';

/** One configured runner, with its link once something needs it. */
export interface Runner {
  readonly name: string;
  /** Says which invocation the links that are opened from now on are for. */
  offer(offer: Offer): void;
  /** The link's requests. Opens the link, or a new one after the last broke. Rejects with a `FaultError` that names the runner. */
  ready(): Promise<Peer>;
  readonly peer: () => Peer | null;
  readonly state: () => LinkState | null;
  readonly described: () => Described | null;
  /** Answers for an invocation from now on. */
  lend(invocation: string, lent: Lent): void;
  giveBack(invocation: string): void;
  /** For good: work that ends afterwards opens no link again. */
  close(): void;
}

interface RunnerPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly program: string;
  readonly programs: readonly string[];
  /** Takes up the work of this link. Absent: a new one. */
  readonly link?: string;
  /** After so long without the runner, and a minute, its attempts are given up. */
  readonly orphanAfterMs: number;
  /** The link is up or broke. `described`: what the runner said of itself, once it did. */
  readonly changed: (runner: string, state: LinkState, described: Described | null) => void;
  /** A new link is up. The first work waits until this has ended: it never rejects. */
  readonly reached: (runner: string, described: Described, peer: Peer) => Promise<void>;
  readonly odd: (fault: Fault) => void;
}

/** Milliseconds between two looks at a runner that works. */
const lookEveryMs = 5_000;
/** Milliseconds that a runner has to stop its agents by itself. */
const marginMs = 60_000;

export const createRunner = (ports: RunnerPorts, name: string, carrier: Carrier): Runner => {
  const { clock, orphanAfterMs } = ports;
  const lent = new Map<string, Lent>();
  let connection: Connection | null = null;
  let greeted: Promise<void> = Promise.resolve();
  let lostAt: number | null = null;
  let looking: Cancel | null = null;
  let closed = false;
  let offered: Offer | null = null;

  const changed = (state: LinkState): void => {
    if (state.kind !== 'unreachable') lostAt = null;
    else lostAt ??= clock.monotonic();
    ports.changed(name, state, connection?.capabilities() ?? null);
  };

  /** While the runner is unreachable its agents work on: that is no silence. The engine's own deadlines end them only after the runner did. */
  const look = (): void => {
    looking = clock.after(lookEveryMs, () => {
      looking = null;
      if (lent.size === 0) return;
      look();
      if (lostAt === null) return;
      const forMs = clock.monotonic() - lostAt;
      if (forMs >= orphanAfterMs + marginMs) connection?.close(givenUp(name, forMs));
      else for (const { host } of lent.values()) host.heard?.();
    });
  };

  const connect = (): Connection => {
    lostAt = null;
    const opened = createConnection({
      ...ports,
      carrier,
      ...(offered === null ? {} : { offer: offered }),
      serve: (peer) => serveHost(peer, lent),
      changed,
      odd: (fault) => ports.odd({ ...fault, where: `runner ${name}` }),
    });
    greeted = opened.ready.then(
      (described) => ports.reached(name, described, opened.peer),
      () => {
        if (connection === opened) connection = null;
      },
    );
    return opened;
  };

  return {
    name,
    offer: (offer) => {
      offered = offer;
    },
    ready: async () => {
      if (closed)
        throw new FaultError({ code: 'runner-closed', what: 'the link was closed', where: `runner ${name}` });
      if (connection === null || connection.isOver()) connection = connect();
      const { ready, peer } = connection;
      await ready;
      await greeted;
      return peer;
    },
    peer: () => connection?.peer ?? null,
    state: () => connection?.state() ?? null,
    described: () => connection?.capabilities() ?? null,
    lend: (invocation, services) => {
      lent.set(invocation, services);
      if (looking === null) look();
    },
    giveBack: (invocation) => void lent.delete(invocation),
    close: () => {
      closed = true;
      looking?.();
      looking = null;
      connection?.close();
      connection = null;
    },
  };
};

const givenUp = (name: string, ms: number): Fault => ({
  code: 'runner-given-up',
  what: `runner ${name} was unreachable for ${Math.round(ms / 60_000)} min`,
  hint: 'any work it still delivers is kept under refs/ralph/late',
});
