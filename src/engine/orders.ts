import { toFault } from '../base/fault.ts';
import type { CheckpointId } from '../signals/checkpoints.ts';
import type { Claim, Consumer } from '../signals/mailbox.ts';
import type { actOn } from './act.ts';
import type { Claims } from './claims.ts';
import { type Core, handlingOf, recipientOf } from './core.ts';
import { writeTaskFiles } from './edited-plan.ts';

/** Session-level signals that were claimed: carried out once (signals.md, rules 7 and 11). */
export interface Orders {
  act(claim: Claim, consumer: Consumer, checkpoint: CheckpointId): void;
  /** What threw is tried again, on three polls in all; then it is rejected. */
  retry(): void;
  /** ABORT is over: its signals are archived with what came of it. */
  stopped(action: string): void;
}

const mostTries = 3;

export const createOrders = (core: Core, claims: Claims, react: typeof actOn): Orders => {
  const { loop, ledger } = core;
  const failing = new Map<string, { readonly tries: number; readonly again: () => void }>();
  const aborting: { claim: Claim; consumer: Consumer; checkpoint: CheckpointId }[] = [];

  const actOnce = (claim: Claim, consumer: Consumer, checkpoint: CheckpointId): void => {
    const handle = (action: string) => claims.finish(claim, handlingOf(core, consumer, checkpoint, action));
    if (ledger.caused(claim.id)) {
      if (claim.signal.type === 'ABORT' && loop.state().abort?.stopped === false)
        aborting.push({ claim, consumer, checkpoint });
      else handle('acted on before the engine was restarted');
      return;
    }
    const acted = react(claim, loop.state());
    if (acted.kind === 'refused') {
      claims.reject(claim, acted.reason);
      return;
    }
    if (acted.kind === 'done') writeTaskFiles(core.options, acted.facts);
    loop.commit({
      type: 'signal.delivered',
      id: claim.id,
      recipient: recipientOf(consumer),
      checkpoint,
      how: 'context',
      broadcast: false,
    });
    for (const fact of acted.facts) loop.commit(fact);
    if (acted.kind === 'until-stopped') aborting.push({ claim, consumer, checkpoint });
    else handle(acted.action(loop.state()));
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
    stopped: (action) => {
      for (const { claim, consumer, checkpoint } of aborting.splice(0))
        claims.finish(claim, handlingOf(core, consumer, checkpoint, action));
    },
  };
};
