import type { Invocation, SessionState, SignalLife } from '../../src/pipeline/state.ts';
import { loopOf } from '../../src/signals/checkpoints.ts';
import { isMessage } from '../../src/signals/kinds.ts';
import { readerWords } from '../../src/signals/reader-words.ts';
import { isBroadcast } from '../../src/signals/routing.ts';
import { isWorker } from '../../src/signals/signal.ts';

/** The invocations that will read the signal and have not yet. */
export const nextReaders = (
  { signal, recipients }: SignalLife,
  { invocations }: SessionState,
): readonly Invocation[] =>
  [...invocations.values()].filter(
    (invocation) =>
      (invocation.stage === 'running' || invocation.stage === 'paused') &&
      (signal.target === 'ALL' || invocation.role === signal.target) &&
      (signal.task === undefined || invocation.task === signal.task) &&
      (signal.worker === undefined || isWorker(signal.worker, invocation.worker)) &&
      ![...recipients.keys()].some((who) => who.endsWith(invocation.id)),
  );

/** "for the agent on english, after every command or tool call", and shorter, of a message that waits for one agent at work; none of any other signal. */
export const shortWaits = (life: SignalLife, session: SessionState): readonly string[] => {
  const { signal, stage, queued, unproven } = life;
  if (stage !== 'pending' || queued || unproven || !isMessage(signal.type) || isBroadcast(signal)) return [];
  if (signal.iteration !== undefined && signal.iteration !== session.iteration) return [];
  const [reader, ...more] = nextReaders(life, session);
  if (reader === undefined || more.length > 0 || reader.agent?.replying) return [];
  const loop = loopOf(reader.role, reader.mode);
  if (loop === null) return [];
  const who = reader.worker ?? readerWords(reader.id, reader.task);
  return [loop.where, ...(loop.brief === undefined ? [] : [loop.brief])].map((when) => `for ${who}, ${when}`);
};
