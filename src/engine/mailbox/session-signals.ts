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
  /** Archives the UNDO or REDO that waited for git, with what came of it. */
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

export const createSessionSignals = (core: Core, claims: Claims, react: typeof actOn): SessionSignals => {
  const { loop, ledger } = core;
  const failing = new Map<string, { readonly tries: number; readonly again: () => void }>();
  const aborting: Waiting[] = [];
  const turning: Waiting[] = [];
  const finishAll = (waiting: Waiting[], action: string): void => {
    for (const { claim, consumer, checkpoint } of waiting.splice(0))
      claims.finish(claim, handlingOf(core, consumer, checkpoint, action));
  };

  const stopping = new Set<Stopping>();

  const actOnce = (claim: Claim, consumer: Consumer, checkpoint: CheckpointId): void => {
    const handle = (action: string) => claims.finish(claim, handlingOf(core, consumer, checkpoint, action));
    if (ledger.caused(claim.id)) {
      if (claim.signal.type === 'ABORT' && loop.state().abort?.stopped === false)
        aborting.push({ claim, consumer, checkpoint });
      else handle('acted on before the engine was restarted');
      return;
    }
    const reaction = react(claim, loop.state());
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
    if (reaction.kind === 'until-stopped') aborting.push({ claim, consumer, checkpoint });
    else if (reaction.kind === 'until-turned') turning.push({ claim, consumer, checkpoint });
    else if (reaction.stops.length === 0) handle(reaction.action(loop.state()));
    else {
      const did = reaction.action(loop.state());
      stopping.add({
        waits: new Set(reaction.stops),
        unverified: [],
        unreached: [],
        finish: (how) => handle(`${did}; its running attempt ${how}`),
      });
    }
  };

  const act = (claim: Claim, consumer: Consumer, checkpoint: CheckpointId): void => {
    try {
      actOnce(claim, consumer, checkpoint);
      failing.delete(claim.id);
    } catch (error) {
      const tries = (failing.get(claim.id)?.tries ?? 0) + 1;
      if (tries < mostTries) failing.set(claim.id, { tries, again: () => act(claim, consumer, checkpoint) });
      else {
        failing.delete(claim.id);
        claims.reject(claim, `could not be acted on, ${mostTries} times: ${toFault(error).what}`);
      }
    }
  };

  return {
    act,
    retry: () => {
      for (const { again } of [...failing.values()]) again();
    },
    attemptStopped: (invocation, { unverified, unreached = [] }) => {
      for (const one of [...stopping]) {
        if (!one.waits.delete(invocation)) continue;
        one.unverified.push(...unverified);
        one.unreached.push(...unreached);
        if (one.waits.size > 0) continue;
        stopping.delete(one);
        const doubts = [
          ...unreachedWords(loop.state(), one.unreached),
          ...(one.unverified.length === 0 ? [] : [`could not verify: pids ${one.unverified.join(', ')}`]),
        ];
        one.finish(doubts.length === 0 ? 'was stopped' : `was asked to stop; ${doubts.join('; ')}`);
      }
    },
    abandonStopping: () => {
      for (const one of stopping) one.finish('was asked to stop; could not verify that it ended');
      stopping.clear();
      finishAll(turning, 'the session stopped before: its next start does it');
    },
    stopped: (action) => finishAll(aborting, action),
    turned: (action) => finishAll(turning, action),
  };
};
