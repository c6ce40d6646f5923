import { type Frame, protocol } from '../wire/frame.ts';
import { createInbox } from './inbox.ts';
import {
  acknowledge,
  askMissing,
  drop,
  type LinkPorts,
  type LinkSelf,
  lost,
  write,
  writeData,
} from './link-self.ts';
import { createOutbox, type MessageKind } from './outbox.ts';
import type { LinkState, Pipe, PipeEnd } from './pipe.ts';
import { takeLine } from './take-frame.ts';

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
    waits: () => {
      if (isMine()) link.heardAt = link.ports.clock.monotonic();
    },
    ended: (why) => {
      if (!isMine()) return;
      drop(link);
      lost(link, why);
    },
  };
};

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
