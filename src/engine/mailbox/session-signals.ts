import type { InvocationId } from '../../agents/port.ts';
import { toFault } from '../../base/fault.ts';
import type { StopReport } from '../../base/process/spawn.ts';
import type { CheckpointId } from '../../signals/checkpoints.ts';
import type { Claim, Consumer } from '../../signals/mailbox.ts';
import { type Core, handlingOf, recipientOf } from '../core.ts';
import type { actOn } from './act.ts';
import type { Claims } from './claims.ts';
import { writeTaskFiles } from './edited-plan.ts';
import { unreachedWords } from './unreached-words.ts';

/** Executes claimed session-level signals, once each (src/signals/README.md, rules 7 and 11). */
export interface SessionSignals {
  act(claim: Claim, consumer: Consumer, checkpoint: CheckpointId): void;
  /** Retries a signal that threw, on three polls in all, then rejects it. */
  retry(): void;
  /** Archives ABORT signals with the result of the stop. */
  stopped(action: string): void;
  /** Archives signals that waited for the end of this invocation, with the result of the stop. */
  attemptStopped(invocation: InvocationId, report: StopReport): void;
  /** Archives the UNDO or REDO that waited for git, with the outcome. */
  turned(action: string): void;
  /** Archives those that still wait, because the session ends. */
  abandonStopping(): void;
}

/** A claimed signal whose archive waits for what it causes. */
interface Waiting {
  readonly claim: Claim;
  readonly consumer: Consumer;
  readonly checkpoint: CheckpointId;
}

/** A signal whose archive waits for invocations that it stopped. */
interface Stopping {
  readonly waits: Set<InvocationId>;
  readonly unverified: number[];
  readonly unreached: string[];
  readonly finish: (how: string) => void;
}

const mostTries = 3;

interface State {
  readonly core: Core;
  readonly claims: Claims;
  readonly react: typeof actOn;
  /** Signals that threw, with how often. */
  readonly failing: Map<string, { readonly tries: number; readonly again: () => void }>;
  readonly aborting: Waiting[];
  readonly turning: Waiting[];
  readonly stopping: Set<Stopping>;
}

export const createSessionSignals = (core: Core, claims: Claims, react: typeof actOn): SessionSignals => {
  const state: State = {
    core,
    claims,
    react,
    failing: new Map(),
    aborting: [],
    turning: [],
    stopping: new Set(),
  };
  const { aborting, turning, stopping, failing } = state;
  return {
    act: (claim, consumer, checkpoint) => act(state, { claim, consumer, checkpoint }),
    retry: () => {
      for (const { again } of [...failing.values()]) again();
    },
    attemptStopped: (invocation, report) => attemptStopped(state, invocation, report),
    abandonStopping: () => {
      for (const one of stopping) one.finish('was asked to stop; could not verify that it ended');
      stopping.clear();
      finishAll(state, turning, 'the session stopped first: it will do this at its next start');
    },
    stopped: (action) => finishAll(state, aborting, action),
    turned: (action) => finishAll(state, turning, action),
  };
};

const act = (state: State, waiting: Waiting): void => {
  const { claim } = waiting;
  const { failing, claims } = state;
  try {
    actOnce(state, waiting);
    failing.delete(claim.id);
  } catch (error) {
    const tries = (failing.get(claim.id)?.tries ?? 0) + 1;
    if (tries < mostTries) failing.set(claim.id, { tries, again: () => act(state, waiting) });
    else {
      failing.delete(claim.id);
      claims.reject(claim, `failed ${mostTries} times: ${toFault(error).what}`);
    }
  }
};

const actOnce = (state: State, waiting: Waiting): void => {
  const { core, claims, aborting } = state;
  const { claim, consumer, checkpoint } = waiting;
  const { loop } = core;
  if (core.ledger.caused(claim.id)) {
    if (claim.signal.type === 'ABORT' && loop.state().abort?.stopped === false) aborting.push(waiting);
    else finish(state, waiting, 'acted on before the engine was restarted');
    return;
  }
  const reaction = state.react(claim, loop.state());
  if (reaction.kind === 'refused') {
    claims.reject(claim, reaction.reason);
    return;
  }
  if (reaction.kind === 'done') writeTaskFiles(core.options, reaction.facts);
  loop.commit({
    type: 'signal.delivered',
    id: claim.id,
    recipient: recipientOf(consumer),
    checkpoint,
    how: 'context',
    broadcast: false,
  });
  for (const fact of reaction.facts) loop.commit(fact);
  if (reaction.kind === 'until-stopped') aborting.push(waiting);
  else if (reaction.kind === 'until-turned') state.turning.push(waiting);
  else if (reaction.stops.length === 0) finish(state, waiting, reaction.action(loop.state()));
  else {
    const did = reaction.action(loop.state());
    state.stopping.add({
      waits: new Set(reaction.stops),
      unverified: [],
      unreached: [],
      finish: (how) => finish(state, waiting, `${did}; its running attempt ${how}`),
    });
  }
};

const finish = ({ core, claims }: State, { claim, consumer, checkpoint }: Waiting, action: string): void =>
  claims.finish(claim, handlingOf(core, consumer, checkpoint, action));

const finishAll = (state: State, waiting: Waiting[], action: string): void => {
  for (const each of waiting.splice(0)) finish(state, each, action);
};

const attemptStopped = (
  { core, stopping }: State,
  invocation: InvocationId,
  { unverified, unreached = [] }: StopReport,
): void => {
  for (const one of [...stopping]) {
    if (!one.waits.delete(invocation)) continue;
    one.unverified.push(...unverified);
    one.unreached.push(...unreached);
    if (one.waits.size > 0) continue;
    stopping.delete(one);
    const doubts = [
      ...unreachedWords(core.loop.state(), one.unreached),
      ...(one.unverified.length === 0
        ? []
        : [`could not verify that pid ${one.unverified.join(', ')} ended`]),
    ];
    one.finish(doubts.length === 0 ? 'was stopped' : `was asked to stop; ${doubts.join('; ')}`);
  }
};
