import type { Clock } from '../../base/clock.ts';
import type { Fault } from '../../base/fault.ts';
import type { Frame } from '../wire/frame.ts';
import type { Inbox } from './inbox.ts';
import type { Kept, Outbox } from './outbox.ts';
import type { LinkState, Pipe } from './pipe.ts';

export interface LinkPorts {
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

/** What a link remembers between two frames. */
export interface LinkSelf {
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

/** Closes the connection, if there is one. The link itself goes on. */
export const drop = (link: LinkSelf): void => {
  const { pipe } = link;
  link.pipe = null;
  link.greeted = false;
  link.passedOver = false;
  pipe?.close();
};

/** Asks for the message that follows the last one in order. */
export const askMissing = (link: LinkSelf): void => {
  link.missingAsked = link.inbox.received() + 1;
  write(link, { t: 'ack', ack: link.inbox.received(), missing: link.missingAsked });
};

/** Says what has arrived, which is also a sign of life. */
export const acknowledge = (link: LinkSelf): void => {
  link.told = link.inbox.received();
  write(link, { t: 'ack', ack: link.inbox.received() }, true);
};

/** Writes everything that the other side has not received. */
export const resendAfter = (link: LinkSelf, number: number): void => {
  for (const kept of link.outbox.after(number)) writeData(link, kept);
};

/** Writes a kept message with what was received so far. */
export const writeData = (link: LinkSelf, { n, text, mayWait }: Kept): void => {
  link.told = link.inbox.received();
  link.askedAt ??= link.ports.clock.monotonic();
  link.pipe?.write(`{"t":"data","n":${n},"ack":${link.inbox.received()},"body":${text}}`, mayWait);
};

export const write = (link: LinkSelf, frame: Frame, mayWait = false): void =>
  link.pipe?.write(JSON.stringify(frame), mayWait);

/** The connection ended, or is silent: a later one continues the link. */
export const lost = (link: LinkSelf, why: Fault | null): void => {
  if (link.state.kind === 'broken') return;
  link.askedAt = null;
  const since = link.state.kind === 'unreachable' ? link.state.since : link.ports.clock.now();
  become(link, { kind: 'unreachable', since, why });
};

/** The link is over for good. */
export const breakFor = (link: LinkSelf, why: Fault): void => {
  drop(link);
  link.stopTicking();
  become(link, { kind: 'broken', why });
};

export const become = (link: LinkSelf, state: LinkState): void => {
  link.state = state;
  link.ports.changed(state);
};
