import { boundedJson } from '../../agents/bounded-json.ts';
import type { Clock } from '../../base/clock.ts';
import type { Fault } from '../../base/fault.ts';
import { type Frame, frameSchema, longestFrame, protocol } from '../wire/frame.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { createOutbox, type Kept, type MessageKind, type Outbox } from './outbox.ts';

/**
 * One connection as a carrier opens it. It moves whole lines and may lose the last ones when it breaks; a carrier over a queue may also repeat and
 * reorder them.
 */
export interface Pipe {
  write(line: string): void;
  close(): void;
}

/** What a link expects of the connection that it was given. */
export interface PipeEnd {
  line(text: string): void;
  /** The connection is over. `why`: the carrier's reason, if it has one. */
  ended(why: Fault | null): void;
}

export type LinkState =
  | { readonly kind: 'reachable'; readonly roundTripMs: number | null }
  | { readonly kind: 'unreachable'; readonly since: number; readonly why: Fault | null }
  /** For good: the other side speaks another protocol, or has forgotten this link. */
  | { readonly kind: 'broken'; readonly why: Fault };

/** An ordered stream of messages in both directions that survives its connections: each message arrives once. */
export interface Link {
  send(body: unknown, kind?: MessageKind): void;
  /** Uses a new connection. An earlier one is closed. */
  attach(pipe: Pipe): PipeEnd;
  readonly state: () => LinkState;
  /** The program and version of the other side, as its last `hello` said. */
  readonly peer: () => string;
  close(): void;
}

interface LinkPorts {
  readonly clock: Clock;
  /** A random name of this side. A side that starts again has another one. */
  readonly self: string;
  /** This program and its version, for the other side. */
  readonly program: string;
  /** Receives each message once, in order. Never throws. */
  readonly deliver: (body: unknown) => void;
  readonly changed: (state: LinkState) => void;
  readonly mostBytes?: number;
}

/** Milliseconds between two signs of life. */
const aliveEveryMs = 5_000;
/** Milliseconds without any frame after which the other side counts as unreachable. */
const silentAfterMs = 15_000;

export const createLink = (ports: LinkPorts): Link => {
  const link: LinkSelf = {
    ports,
    outbox: createOutbox(ports.mostBytes),
    inbox: createInbox(ports.deliver),
    pipe: null,
    greeted: false,
    passedOver: false,
    peerSelf: null,
    peerProgram: '',
    told: 0,
    ackPlanned: false,
    heardAt: 0,
    askedAt: null,
    missingAsked: 0,
    state: { kind: 'unreachable', since: ports.clock.now(), why: null },
    stopTicking: () => undefined,
  };
  tick(link);
  return {
    send: (body, kind = 'fact') => {
      const kept = link.outbox.add(body, kind);
      if (link.greeted) writeData(link, kept);
    },
    attach: (pipe) => attach(link, pipe),
    state: () => link.state,
    peer: () => link.peerProgram,
    close: () => {
      link.stopTicking();
      drop(link);
    },
  };
};

/** The first line of a side that takes the place of another one: what was begun with that is over. */
export const foreignHello = (program: string, self: string): string =>
  JSON.stringify({ t: 'hello', protocol, program, self, received: 0 } satisfies Frame);

interface LinkSelf {
  readonly ports: LinkPorts;
  readonly outbox: Outbox;
  readonly inbox: Inbox;
  pipe: Pipe | null;
  /** The other side has said `hello` on this connection. */
  greeted: boolean;
  /** A message came before its `hello`. */
  passedOver: boolean;
  peerSelf: string | null;
  peerProgram: string;
  /** The last message that was acknowledged. */
  told: number;
  ackPlanned: boolean;
  heardAt: number;
  /** When the oldest unanswered message was written, for the round trip. */
  askedAt: number | null;
  missingAsked: number;
  state: LinkState;
  stopTicking: () => void;
}

const attach = (link: LinkSelf, pipe: Pipe): PipeEnd => {
  drop(link);
  link.pipe = pipe;
  link.heardAt = link.ports.clock.monotonic();
  const { self, program } = link.ports;
  write(link, { t: 'hello', protocol, program, self, received: link.inbox.received() });
  const isMine = (): boolean => link.pipe === pipe;
  return {
    line: (text) => {
      if (isMine()) takeLine(link, text);
    },
    ended: (why) => {
      if (!isMine()) return;
      drop(link);
      lost(link, why);
    },
  };
};

const drop = (link: LinkSelf): void => {
  const { pipe } = link;
  link.pipe = null;
  link.greeted = false;
  link.passedOver = false;
  pipe?.close();
};

const takeLine = (link: LinkSelf, text: string): void => {
  // A login shell may print a greeting before the program starts.
  if (!text.startsWith('{') && !link.greeted) return;
  const read = text.length > longestFrame ? undefined : frameSchema.safeParse(boundedJson(text));
  if (!read?.success) {
    drop(link);
    lost(link, { code: 'link-garbled', what: 'it sent a line that is not a runner message' });
    return;
  }
  link.heardAt = link.ports.clock.monotonic();
  if (read.data.t === 'hello') takeHello(link, read.data);
  else if (link.greeted) takeFrame(link, read.data, text.length);
  else link.passedOver = true;
};

const takeHello = (link: LinkSelf, frame: Extract<Frame, { t: 'hello' }>): void => {
  link.peerProgram = frame.program;
  if (frame.protocol !== protocol) {
    const what = `${frame.program} there speaks protocol ${frame.protocol}, but this program speaks protocol ${protocol}`;
    breakFor(link, { code: 'runner-protocol', what });
    return;
  }
  if (link.peerSelf !== null && link.peerSelf !== frame.self) {
    breakFor(link, { code: 'runner-restarted', what: 'it was restarted and has lost its work' });
    return;
  }
  // The other side has messages of a process before this one, whose work is not here.
  if (frame.received > link.outbox.last()) {
    breakFor(link, { code: 'link-unknown', what: 'it continues a link that this process has no record of' });
    return;
  }
  link.peerSelf = frame.self;
  link.greeted = true;
  link.outbox.acknowledged(frame.received);
  if (link.state.kind !== 'reachable') become(link, { kind: 'reachable', roundTripMs: null });
  resendAfter(link, frame.received);
  if (link.passedOver) askMissing(link);
};

const takeFrame = (link: LinkSelf, frame: Exclude<Frame, { t: 'hello' }>, characters: number): void => {
  link.outbox.acknowledged(frame.ack);
  if (frame.t === 'data') {
    takeData(link, frame.n, frame.body, characters);
    return;
  }
  if (link.askedAt !== null && link.state.kind === 'reachable') {
    link.state = {
      kind: 'reachable',
      roundTripMs: Math.round(link.ports.clock.monotonic() - link.askedAt),
    };
    link.askedAt = null;
  }
  if (frame.missing !== undefined) resendAfter(link, frame.missing - 1);
};

const takeData = (link: LinkSelf, n: number, body: unknown, characters: number): void => {
  const { inbox } = link;
  switch (inbox.take(n, body, characters)) {
    case 'early':
      if (link.missingAsked !== inbox.received() + 1) askMissing(link);
      return;
    case 'again':
      // It was sent again before its acknowledgement came.
      link.told = Math.min(link.told, inbox.received() - 1);
      break;
    case 'next':
      break;
  }
  planAck(link);
};

const askMissing = (link: LinkSelf): void => {
  link.missingAsked = link.inbox.received() + 1;
  write(link, { t: 'ack', ack: link.inbox.received(), missing: link.missingAsked });
};

/** Acknowledges soon: one frame for everything that arrived together. */
const planAck = (link: LinkSelf): void => {
  if (link.ackPlanned || link.told === link.inbox.received()) return;
  link.ackPlanned = true;
  link.ports.clock.after(0, () => {
    link.ackPlanned = false;
    if (link.greeted && link.told !== link.inbox.received()) acknowledge(link);
  });
};

const acknowledge = (link: LinkSelf): void => {
  link.told = link.inbox.received();
  write(link, { t: 'ack', ack: link.inbox.received() });
};

const resendAfter = (link: LinkSelf, number: number): void => {
  for (const kept of link.outbox.after(number)) writeData(link, kept);
};

const writeData = (link: LinkSelf, { n, text }: Kept): void => {
  link.told = link.inbox.received();
  link.askedAt ??= link.ports.clock.monotonic();
  link.pipe?.write(`{"t":"data","n":${n},"ack":${link.inbox.received()},"body":${text}}`);
};

const write = (link: LinkSelf, frame: Frame): void => link.pipe?.write(JSON.stringify(frame));

const tick = (link: LinkSelf): void => {
  link.stopTicking = link.ports.clock.after(aliveEveryMs, () => {
    tick(link);
    if (link.pipe === null) return;
    if (link.ports.clock.monotonic() - link.heardAt >= silentAfterMs) {
      drop(link);
      lost(link, { code: 'link-silent', what: `it sent nothing for ${silentAfterMs / 1_000} s` });
    } else if (link.inbox.waits()) askMissing(link);
    else if (link.greeted) acknowledge(link);
  });
};

const lost = (link: LinkSelf, why: Fault | null): void => {
  if (link.state.kind === 'broken') return;
  link.askedAt = null;
  const since = link.state.kind === 'unreachable' ? link.state.since : link.ports.clock.now();
  become(link, { kind: 'unreachable', since, why });
};

const breakFor = (link: LinkSelf, why: Fault): void => {
  drop(link);
  link.stopTicking();
  become(link, { kind: 'broken', why });
};

const become = (link: LinkSelf, state: LinkState): void => {
  link.state = state;
  link.ports.changed(state);
};
