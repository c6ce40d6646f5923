import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../pipeline/event.ts';
import type { Signal } from '../../signals/signal.ts';
import type { SessionFeed } from './session-feed.ts';

/** Of several of these for one question, the first that is read decides. */
const deciding: ReadonlySet<Signal['type']> = new Set(['ANSWER', 'APPROVE', 'SKIP']);

export const isDecision = ({ type }: Pick<Signal, 'type'>): boolean => deciding.has(type);

/** Milliseconds: a program that runs the session reads an answer at once. */
const readWithinMs = 1_000;

/**
 * Why a decision that was sent did not count, in the words of its reader: somebody else was faster. `null`: it counted, or nobody has read it within a
 * second, which the list of signals shows later.
 */
export const whyNotCounted = async (
  clock: Pick<Clock, 'after'>,
  { seen, follow }: Pick<SessionFeed, 'follow'> & { readonly seen: () => Looked },
  id: string,
): Promise<string | null> => {
  const read = Promise.withResolvers<void>();
  const isRead = (): boolean => seen().view.session?.signals.get(id)?.stage === 'handled';
  const unfollow = follow(() => {
    if (isRead()) read.resolve();
  });
  const cancel = clock.after(readWithinMs, read.resolve);
  if (isRead()) read.resolve();
  await read.promise;
  unfollow();
  cancel();
  const { events, view } = seen();
  const life = view.session?.signals.get(id);
  if (life?.stage !== 'handled' || events.some((event) => isDecidedBy(event, id))) return null;
  return life.action;
};

type Looked = Pick<ReturnType<SessionFeed['seen']>, 'events' | 'view'>;

const isDecidedBy = (event: Event, id: string): boolean =>
  (event.type === 'question.answered' || event.type === 'gate.decided') && event.signal === id;
