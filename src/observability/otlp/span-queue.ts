import { afterAwake } from '../../base/after-awake.ts';
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

/**
 * The program waits at its end for this share of the session, within these bounds in milliseconds. A collector that took the last request gets the
 * longest wait: it is there, and a loaded machine delays its answer.
 */
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
  let tookLast = false;
  let sending: { readonly tooLate: Promise<false>; readonly done: Promise<void> } | null = null;
  let cancelWait: Cancel = () => {};
  let closed = false;
  let gaveUp = false;

  /** Resolves once the collector had its time to answer. */
  const startWait = (): Promise<false> => {
    const ofRun = Math.max(leastWait, (clock.monotonic() - begun) * share);
    const patience = tookLast ? longestWait : Math.min(longestWait, ofRun);
    return new Promise((resolve) => {
      cancelWait = afterAwake(clock, patience, () => resolve(false));
    });
  };

  const sendSome = async (): Promise<void> => {
    const spans = kept.slice(0, mostAtOnce);
    const failure = await send(spans);
    sending = null;
    if (!closed) cancelWait();
    tookLast = failure === null;
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
    sending = { tooLate: startWait(), done: sendSome() };
  };
  const schedule = (): void => {
    if (closed || timer !== null || sending !== null || kept.length === 0) return;
    timer = clock.after(Math.max(pause, backoff), begin);
  };
  /** Sends what is left until a request fails. */
  const sendRest = async (): Promise<true> => {
    await sending?.done;
    for (let left = -1; kept.length > 0 && kept.length !== left && !gaveUp; ) {
      left = kept.length;
      await sendSome();
    }
    return true;
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
      const inTime = kept.length === 0 || (await Promise.race([sendRest(), sending?.tooLate ?? startWait()]));
      gaveUp = true;
      cancelWait();
      const count = kept.length + dropped;
      return count === 0 ? null : { count, reason: inTime ? reason : 'it did not answer in time' };
    },
  };
};
