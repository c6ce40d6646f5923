import type { Message } from '../../agents/port.ts';
import { summarize } from '../../agents/roles/messages.ts';
import type { Fault } from '../../base/fault.ts';
import type { Effect } from '../../pipeline/effect.ts';
import { hasEnded } from '../../pipeline/ends.ts';
import { gateOver } from '../../pipeline/no-longer-holds.ts';
import { isMessage, kinds } from '../../signals/kinds.ts';
import { peekAll } from '../../signals/mailbox/peek-all.ts';
import type { PendingSignal, SignalType } from '../../signals/signal.ts';
import { type Core, handlingOf, orchestrator } from '../core.ts';
import type { Backlog } from './backlog.ts';
import type { Broadcasts } from './broadcasts.ts';
import { type Claims, isOver } from './claims.ts';
import type { Deliveries } from './deliveries.ts';

interface SweepPorts {
  readonly core: Core;
  readonly backlog: Pick<Backlog, 'drain'>;
  readonly claims: Claims;
  readonly broadcasts: Broadcasts;
  readonly deliveries: Pick<Deliveries, 'abandonGuidance'>;
}

type Sweep = Extract<Effect, { type: 'sweep-signals' }>;

/** Archives signals that no consumer can take any more (src/signals/README.md, rules 5 and 9), so that none stays in `inputs/` for ever. */
export const sweepSignals = (ports: SweepPorts, sweep: Sweep): void => {
  const { core, backlog, claims, broadcasts, deliveries } = ports;
  const state = core.loop.state();
  const isOpened = sweep.known === true && state.openedAgain;
  // A session that was complete at its start may be at work again by now.
  if (sweep.known && !isOpened && !hasEnded(state)) return;
  if (sweep.why === 'session-end' && !isOpened) {
    // A message to ALL that is taken and not yet archived still lies in `inputs/`.
    backlog.drain();
    deliveries.abandonGuidance();
    for (const message of core.loop.state().resumeMessages) core.problem(unheard(message));
    broadcasts.strikeAll();
  }
  for (const pendingSignal of peekAll(core.mailbox).pendingSignals)
    if (isMeant(core, sweep, pendingSignal)) take(core, claims, sweep, pendingSignal);
  // No task follows that would wait for it.
  if (sweep.why === 'session-end') backlog.drain();
};

/** Their PAUSE or RESUME is archived already, with what it did. */
const unheard = ({ kind, text, from }: Message): Fault => ({
  code: 'words-undelivered',
  what: `the message of ${kind}${from === undefined ? '' : ` by ${from}`} reached no agent, because none worked after it: "${summarize(text)}"`,
});

const isGate = (type: SignalType): boolean => kinds[type].category === 'gate';
/** Session signals that still mean something after the session's end: they wait for its next start. */
const forNextStart: ReadonlySet<SignalType> = new Set<SignalType>(['RETRY', 'CANCEL']);
const isEnded = (type: SignalType): boolean => kinds[type].category === 'session' && !forNextStart.has(type);

const isMeant = (core: Core, sweep: Sweep, { id, signal }: PendingSignal): boolean => {
  if (sweep.known && core.loop.state().signals.get(id)?.stage !== 'pending') return false;
  if (sweep.named && isMessage(signal.type) && signal.iteration === undefined) return false;
  const { openedAgain, signals } = core.loop.state();
  // The agents on a task that was opened again take what was sent after that.
  if (sweep.known && openedAgain && isMessage(signal.type) && !signals.get(id)?.isSetAside) return false;
  const later = signal.iteration !== undefined && signal.iteration > core.loop.state().iteration;
  if (later) return false;
  if (sweep.why === 'session-start') return signal.type === 'DRAIN';
  if (sweep.why === 'gate-closed') return isGate(signal.type);
  if (sweep.why === 'task-settled') return isMessage(signal.type) && signal.task === sweep.task;
  // A person is asked about it at every end, until they confirm or withdraw it.
  if (isEnded(signal.type) && signals.get(id)?.unproven) return false;
  return isMessage(signal.type) || isGate(signal.type) || isEnded(signal.type);
};

const take = (core: Core, claims: Claims, sweep: Sweep, pendingSignal: PendingSignal): void => {
  const claim = core.mailbox.claim(pendingSignal);
  if (typeof claim === 'string') return;
  const life = core.loop.state().signals.get(pendingSignal.id);
  if (isOver(life)) {
    claims.archiveAgain(claim, life);
    return;
  }
  const handling = (action: string) => handlingOf(core, orchestrator(core), 'Orchestrator.boundary', action);
  if (isGate(pendingSignal.signal.type)) claims.finish(claim, handling(gateOver(core.loop.state())));
  else if (sweep.why === 'session-start') claims.finish(claim, handling(`ignored: ${sweep.reason}`));
  else if (isEnded(pendingSignal.signal.type))
    claims.finish(claim, handling(`session ended: ${sweep.reason}`));
  else claims.finish(claim, { ...handling(sweep.reason), outcome: 'undelivered' });
};
