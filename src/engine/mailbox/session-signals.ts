import { toFault } from '../../base/fault.ts';
import { openQuestion } from '../../pipeline/questions/open-questions.ts';
import type { CheckpointId } from '../../signals/checkpoints.ts';
import type { Claim, Consumer } from '../../signals/mailbox.ts';
import { personalAnswer } from '../../signals/personal-answer.ts';
import { questionKinds } from '../../signals/question-kinds.ts';
import type { Signal } from '../../signals/signal.ts';
import { type Core, handlingOf, recipientOf } from '../core.ts';
import type { actOn } from './act.ts';
import type { Claims } from './claims.ts';
import { writeTaskFiles } from './edited-plan.ts';
import { refused } from './reaction.ts';

/** Executes claimed session-level signals, once each (signals.md, rules 7 and 11). */
export interface SessionSignals {
  act(claim: Claim, consumer: Consumer, checkpoint: CheckpointId): void;
  /** Retries a signal that threw, on three polls in all, then rejects it. */
  retry(): void;
  /** Archives ABORT signals with the result of the stop. */
  stopped(action: string): void;
}

const mostTries = 3;

export const createSessionSignals = (core: Core, claims: Claims, react: typeof actOn): SessionSignals => {
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
    const reaction = isByPerson(core, claim.signal) ? react(claim, loop.state()) : refused(forPersons);
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
    else handle(reaction.action(loop.state()));
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

/** An agent can write the file of an answer, but not the record that a person gave it. */
const isByPerson = ({ options, loop }: Core, signal: Signal): boolean => {
  const question = signal.type === 'ANSWER' ? openQuestion(loop.state(), signal.request ?? '') : null;
  if (question === null || !questionKinds[question.kind].onlyPerson) return true;
  const { name, text } = personalAnswer(options.paths.session, signal);
  return options.isAgreed?.(name, new TextEncoder().encode(text)) === true;
};

const forPersons =
  'only a person answers this, with a key on a screen or `ralph-tui review`: an agent could have written the file';
