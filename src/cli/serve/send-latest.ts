import type { Sent } from './session-feed.ts';

/**
 * Sends to one page, one message after the other. A page that reads slowly, on a phone that sleeps, gets the newest of each part and costs no more
 * than one of each.
 */
export const sendLatest = (send: (sent: Sent) => Promise<void>): ((sent: Sent) => void) => {
  const waiting = new Map<Sent['event'], Sent>();
  let isSending = false;
  const next = (): void => {
    const [sent] = waiting.values();
    isSending = sent !== undefined;
    if (sent === undefined) return;
    waiting.delete(sent.event);
    void send(sent).then(next);
  };
  return (sent) => {
    waiting.set(sent.event, sent);
    if (!isSending) next();
  };
};
