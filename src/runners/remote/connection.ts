import type { Cancel, Clock } from '../../base/clock.ts';
import { type Fault, FaultError } from '../../base/fault.ts';
import type { Random } from '../../base/random.ts';
import type { Carrier } from '../carriers/carrier.ts';
import { createLink, type Link, type LinkState } from '../link/link.ts';
import { createPeer, type Peer } from '../link/peer.io.ts';
import { type Capabilities, noticesToRunner, toRunner } from '../wire/to-runner.ts';

interface ConnectionPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** This program and its version. */
  readonly program: string;
  readonly carrier: Carrier;
  /** Programs that the runner looks for, to say which agents it has. */
  readonly programs: readonly string[];
  /** Installs the host's handlers on a new link. */
  readonly serve: (peer: Peer) => void;
  readonly changed: (state: LinkState) => void;
  readonly odd: (fault: Fault) => void;
}

/** One link to a runner over as many connections as it takes. */
export interface Connection {
  readonly peer: Peer;
  readonly state: () => LinkState;
  /** It ended for good. */
  readonly isOver: () => boolean;
  /** What the runner said of itself, once it answered. */
  readonly capabilities: () => Described | null;
  /** Resolves with its first answer; rejects with a `FaultError` when the first connection fails. */
  readonly ready: Promise<Described>;
  /** Ends it, and with it every open request. */
  close(why?: Fault): void;
}

export interface Described extends Capabilities {
  /** Its clock minus ours. */
  readonly clockDifferenceMs: number;
  readonly roundTripMs: number;
}

/** Each agent of a runner, with its version where the runner knows it. */
export const agentsOf = ({
  agents,
  versions = {},
}: Pick<Described, 'agents' | 'versions'>): readonly string[] =>
  agents.map((name) => (Object.hasOwn(versions, name) ? `${name} ${versions[name]}` : name));

/** Milliseconds before the next connection, by the number of failures in a row. */
const pauses = [0, 1_000, 2_000, 5_000, 10_000];

export const createConnection = (ports: ConnectionPorts): Connection => {
  const { clock, random, carrier } = ports;
  const name = random.hex(16);
  const first = Promise.withResolvers<Described>();
  first.promise.catch(() => undefined);
  let described: Described | null = null;
  let failures = 0;
  let closed = false;
  let cancel: Cancel = () => undefined;

  const over = (why: Fault): void => {
    closed = true;
    cancel();
    first.reject(new FaultError(why));
    peer.end(why);
    link.close();
  };

  const withHint = (why: Fault): Fault => {
    const hint =
      why.code === 'runner-protocol' || why.code === 'link-silent' ? carrier.hints?.[why.code] : null;
    return hint ? { ...why, hint } : why;
  };

  const link: Link = createLink({
    clock,
    self: random.hex(16),
    program: ports.program,
    deliver: (body) => peer.take(body),
    changed: (state) => {
      if (state.kind === 'reachable') {
        failures = 0;
        if (described === null) void describe();
      }
      if (state.kind === 'broken') over(withHint(state.why));
      ports.changed(state);
      if (state.kind === 'unreachable') again(state.why);
    },
  });
  const peer = createPeer({ send: (body, kind) => link.send(body, kind), odd: ports.odd });
  ports.serve(peer);

  const describe = async (): Promise<void> => {
    const asked = clock.monotonic();
    const sent = clock.now();
    try {
      const answer = await peer.request(toRunner.describe, { programs: [...ports.programs] });
      const roundTripMs = Math.round(clock.monotonic() - asked);
      described = {
        ...answer,
        roundTripMs,
        clockDifferenceMs: Math.round(answer.now - sent - roundTripMs / 2),
      };
      first.resolve(described);
    } catch (error) {
      if (error instanceof FaultError) over(error.fault);
      else throw error;
    }
  };

  /** A link that never stood ends with its first failure: the person hears why at once. One that stood is opened again for as long as somebody waits. */
  const again = (why: Fault | null): void => {
    if (closed) return;
    if (described === null) {
      const unsaid = { code: 'runner-unreachable', what: 'the connection ended before the runner answered' };
      over(withHint(why ?? unsaid));
      return;
    }
    cancel();
    cancel = clock.after(pauses[Math.min(failures, pauses.length - 1)] ?? 0, open);
    failures += 1;
  };

  const open = (): void => {
    if (closed) return;
    // The carrier may report its end before `open` returns.
    const ends = Promise.withResolvers<ReturnType<Link['attach']>>();
    let end: ReturnType<Link['attach']> | null = null;
    const pipe = carrier.open(name, {
      line: (text) => (end === null ? void ends.promise.then((later) => later.line(text)) : end.line(text)),
      ended: (why) => (end === null ? void ends.promise.then((later) => later.ended(why)) : end.ended(why)),
    });
    end = link.attach(pipe);
    ends.resolve(end);
  };

  open();
  return {
    peer,
    state: link.state,
    isOver: () => closed,
    capabilities: () => described,
    ready: first.promise,
    close: (why) => {
      if (why === undefined && !closed) peer.notify(noticesToRunner.bye, {});
      over(why ?? { code: 'runner-closed', what: 'the link was closed' });
    },
  };
};
