import type { Cancel, Clock } from '../../base/clock.ts';

interface SpanQueueOptions<Span> {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** Sends spans once. Resolves with the reason when they were not taken, with `null` when they were. */
  readonly send: (spans: readonly Span[]) => Promise<string | null>;
}

/** What a collector did not take. */
export interface Unsent {
  readonly count: number;
  readonly reason: string;
}

interface SpanQueue<Span> {
  readonly add: (span: Span) => void;
  /** Sends the rest once, within a short time. Resolves with what the collector never took; `null` when it took all. */
  readonly close: () => Promise<Unsent | null>;
}

/** Milliseconds between a span and the request that carries it. */
const pause = 250;
/** Milliseconds until the next request after one that failed; doubled each time. */
const firstBackoff = 1_000;
const longestBackoff = 30_000;
/** Spans of one request, and spans that are kept while the collector is away. */
const mostAtOnce = 512;
const mostKept = 8_192;

/** The program waits at its end for this share of the session, within these bounds in milliseconds. */
const share = 0.02;
const leastWait = 250;
const longestWait = 2_000;

/**
 * Sends spans while a session runs, one request at a time. What a collector did not take is kept and sent again. A collector that has not answered
 * the last request when the session ends gets no further one.
 */
export const createSpanQueue = <Span>({ clock, send }: SpanQueueOptions<Span>): SpanQueue<Span> => {
  const begun = clock.monotonic();
  let kept: Span[] = [];
  let dropped = 0;
  let reason = 'it gave no reason';
  let backoff = 0;
  let timer: Cancel | null = null;
  let sending: { readonly since: number; readonly done: Promise<void> } | null = null;
  let closed = false;

  const sendSome = async (): Promise<void> => {
    const spans = kept.slice(0, mostAtOnce);
    const failure = await send(spans);
    sending = null;
    if (failure === null) {
      kept = kept.slice(spans.length);
      backoff = 0;
    } else {
      reason = failure;
      backoff = Math.min(longestBackoff, Math.max(firstBackoff, backoff * 2));
    }
    schedule();
  };
  const begin = (): void => {
    timer = null;
    sending = { since: clock.monotonic(), done: sendSome() };
  };
  const schedule = (): void => {
    if (closed || timer !== null || sending !== null || kept.length === 0) return;
    timer = clock.after(Math.max(pause, backoff), begin);
  };
  /** Sends what is left until a request fails. */
  const sendRest = async (): Promise<void> => {
    await sending?.done;
    for (let left = -1; kept.length > 0 && kept.length !== left; ) {
      left = kept.length;
      await sendSome();
    }
  };
  return {
    add: (span) => {
      if (kept.length < mostKept) kept.push(span);
      else dropped += 1;
      schedule();
    },
    close: async () => {
      closed = true;
      timer?.();
      const now = clock.monotonic();
      const patience = Math.min(longestWait, Math.max(leastWait, (now - begun) * share));
      const waited = sending === null ? 0 : now - sending.since;
      let inTime = false;
      if (kept.length > 0 && waited < patience)
        inTime = await Promise.race([
          sendRest().then(() => true),
          new Promise<false>((resolve) => {
            timer = clock.after(patience - waited, () => resolve(false));
          }),
        ]);
      timer?.();
      const count = kept.length + dropped;
      return count === 0 ? null : { count, reason: inTime ? reason : 'it did not answer in time' };
    },
  };
};
