import { boundedJson } from '../../agents/bounded-json.ts';
import { type Frame, frameSchema, longestFrame, protocol } from '../wire/frame.ts';
import {
  acknowledge,
  askMissing,
  become,
  breakFor,
  drop,
  type LinkSelf,
  lost,
  resendAfter,
} from './link-self.ts';

/** Takes a line of the connection. One that is no frame ends it. */
export const takeLine = (link: LinkSelf, text: string): void => {
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

/** Acknowledges soon: one frame for everything that arrived together. */
const planAck = (link: LinkSelf): void => {
  if (link.ackPlanned || link.told === link.inbox.received()) return;
  link.ackPlanned = true;
  link.ports.clock.after(0, () => {
    link.ackPlanned = false;
    if (link.greeted && link.told !== link.inbox.received()) acknowledge(link);
  });
};
