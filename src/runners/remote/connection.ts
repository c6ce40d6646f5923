import type { Cancel, Clock } from '../../base/clock.ts';
import { type Fault, FaultError } from '../../base/fault.ts';
import type { Random } from '../../base/random.ts';
import type { Carrier, Offer } from '../carriers/carrier.ts';
import { createLink, type Link } from '../link/link.ts';
import { createPeer, type Peer } from '../link/peer.io.ts';
import type { LinkState } from '../link/pipe.ts';
import { type Capabilities, noticesToRunner, toRunner } from '../wire/to-runner.ts';

interface ConnectionPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** This program and its version. */
  readonly program: string;
  readonly carrier: Carrier;
  /** Takes up the work of this link. Absent: a new one. */
  readonly link?: string;
  /** The one invocation that it is for. */
  readonly offer?: Offer;
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

interface State {
  readonly ports: ConnectionPorts;
  readonly link: Link;
  readonly peer: Peer;
  /** The name by which the carrier knows the link. */
  readonly name: string;
  readonly first: PromiseWithResolvers<Described>;
  described: Described | null;
  /** Connections that failed in a row. */
  failures: number;
  isOver: boolean;
  /** Cancels the next connection. */
  cancel: Cancel;
}

export const createConnection = (ports: ConnectionPorts): Connection => {
  const state: State = {
    ports,
    ...createEnds(ports, (link) => changed(state, link)),
    name: ports.link ?? ports.random.hex(16),
    first: Promise.withResolvers<Described>(),
    described: null,
    failures: 0,
    isOver: false,
    cancel: () => undefined,
  };
  const { peer, link, first } = state;
  first.promise.catch(() => undefined);
  ports.serve(peer);
  open(state);
  return {
    peer,
    state: link.state,
    isOver: () => state.isOver,
    capabilities: () => state.described,
    ready: first.promise,
    close: (why) => {
      if (why === undefined && !state.isOver) peer.notify(noticesToRunner.bye, {});
      end(state, why ?? { code: 'runner-closed', what: 'the link was closed' });
    },
  };
};

/** The link and the requests over it, which need each other. */
const createEnds = (
  { clock, random, program, odd }: ConnectionPorts,
  changed: (state: LinkState) => void,
): Pick<State, 'link' | 'peer'> => {
  const link: Link = createLink({
    clock,
    self: random.hex(16),
    program,
    deliver: (body) => peer.take(body),
    changed,
  });
  const peer = createPeer({ send: (body, kind) => link.send(body, kind), odd });
  return { link, peer };
};

const changed = (state: State, link: LinkState): void => {
  if (link.kind === 'reachable') {
    state.failures = 0;
    if (state.described === null) void describe(state);
  }
  if (link.kind === 'broken') end(state, withHint(state.ports.carrier, link.why));
  state.ports.changed(link);
  if (link.kind === 'unreachable') again(state, link.why);
};

const describe = async (state: State): Promise<void> => {
  const { clock, programs } = state.ports;
  const asked = clock.monotonic();
  const sent = clock.now();
  try {
    const answer = await state.peer.request(toRunner.describe, { programs: [...programs] });
    const roundTripMs = Math.round(clock.monotonic() - asked);
    const clockDifferenceMs = Math.round(answer.now - sent - roundTripMs / 2);
    state.described = { ...answer, roundTripMs, clockDifferenceMs };
    state.first.resolve(state.described);
  } catch (error) {
    if (error instanceof FaultError) end(state, error.fault);
    else throw error;
  }
};

/** A link that never came up ends with its first failure: the person hears why at once. One that was up is opened again for as long as somebody waits. */
const again = (state: State, why: Fault | null): void => {
  if (state.isOver) return;
  if (state.described === null) {
    const unsaid = { code: 'runner-unreachable', what: 'the connection ended before the runner answered' };
    end(state, withHint(state.ports.carrier, why ?? unsaid));
    return;
  }
  state.cancel();
  const pause = pauses[Math.min(state.failures, pauses.length - 1)] ?? 0;
  state.cancel = state.ports.clock.after(pause, () => open(state));
  state.failures += 1;
};

const open = ({ isOver, link, name, ports }: State): void => {
  if (isOver) return;
  // The carrier may report its end before `open` returns.
  const ends = Promise.withResolvers<ReturnType<Link['attach']>>();
  let end: ReturnType<Link['attach']> | null = null;
  const pipe = ports.carrier.open(
    name,
    {
      line: (text) => (end === null ? void ends.promise.then((later) => later.line(text)) : end.line(text)),
      waits: () => end?.waits(),
      ended: (why) => (end === null ? void ends.promise.then((later) => later.ended(why)) : end.ended(why)),
    },
    ports.offer,
  );
  end = link.attach(pipe);
  ends.resolve(end);
};

const end = (state: State, why: Fault): void => {
  state.isOver = true;
  state.cancel();
  state.first.reject(new FaultError(why));
  state.peer.end(why);
  state.link.close();
  state.ports.carrier.release?.(state.name);
};

const withHint = ({ hints }: Carrier, why: Fault): Fault => {
  const hint = why.code === 'runner-protocol' || why.code === 'link-silent' ? hints?.[why.code] : null;
  return hint ? { ...why, hint } : why;
};
