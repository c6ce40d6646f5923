import type { Effect } from '../pipeline/effect.ts';
import { peekAll } from '../signals/peek-all.ts';
import type { Letter, SignalType } from '../signals/signal.ts';
import type { Broadcasts } from './broadcasts.ts';
import { type Claims, isOver } from './claims.ts';
import { type Core, handlingOf, orchestrator } from './core.ts';

type Sweep = Extract<Effect, { type: 'sweep-signals' }>;

/** Archives what can no longer reach anybody (signals.md, rules 5 and 9): nothing stays in `inputs/` that nobody will ever take. */
export const sweepSignals = (core: Core, claims: Claims, broadcasts: Broadcasts, sweep: Sweep): void => {
  if (sweep.why === 'session-end') broadcasts.strikeAll();
  for (const letter of peekAll(core.mailbox).letters)
    if (isMeant(core, sweep, letter)) take(core, claims, sweep, letter);
};

const messages: ReadonlySet<SignalType> = new Set<SignalType>(['INFO', 'STEER']);
const gate: ReadonlySet<SignalType> = new Set<SignalType>(['APPROVE', 'SKIP']);
/** Orders that mean nothing to a session that has ended; RETRY and CANCEL are for its next start. */
const ended: ReadonlySet<SignalType> = new Set<SignalType>(['PAUSE', 'RESUME', 'ABORT', 'SET', 'ANSWER']);

const isMeant = (core: Core, sweep: Sweep, { id, signal }: Letter): boolean => {
  if (sweep.known && core.loop.state().signals.get(id)?.stage !== 'pending') return false;
  const later = signal.iteration !== undefined && signal.iteration > core.loop.state().iteration;
  if (later) return false;
  if (sweep.why === 'gate-closed') return gate.has(signal.type);
  if (sweep.why === 'task-settled') return messages.has(signal.type) && signal.task === sweep.task;
  return messages.has(signal.type) || gate.has(signal.type) || ended.has(signal.type);
};

const take = (core: Core, claims: Claims, sweep: Sweep, letter: Letter): void => {
  const claim = core.mailbox.claim(letter);
  if (typeof claim === 'string') return;
  const life = core.loop.state().signals.get(letter.id);
  if (isOver(life)) {
    claims.bury(claim, life);
    return;
  }
  const handling = (action: string) => handlingOf(core, orchestrator(core), 'Orchestrator.boundary', action);
  if (gate.has(letter.signal.type)) claims.finish(claim, handling('gate already decided'));
  else if (ended.has(letter.signal.type)) claims.finish(claim, handling(`session ended: ${sweep.reason}`));
  else claims.undelivered(claim, handling(`undelivered: ${sweep.reason}`));
};
