import { afterAwake } from '../../../base/after-awake.ts';
import type { Cancel, Clock } from '../../../base/clock.ts';
import type { BackendHost, Directive, Message } from '../../port.ts';
import type { Conversation } from './conversation.ts';
import type { AgentUpdate, ToolPatch } from './updates.ts';

/**
 * Ends a reply that goes on though the session is held, so that a pause spends nothing (src/agents/README.md, Signals on a running agent). A command that
 * runs ends first: it asks no model. The words so far stay, and the prompt after the hold continues the work.
 */
export interface HoldCut {
  /** Hears, again and again, since when the session is held: each hold has its own patience. */
  held(since: string): void;
  /** Marks a call of our tools as standing until this resolves. */
  standing<T>(wait: Promise<T>): Promise<T>;
  /** Sees what the agent reports. */
  saw(update: AgentUpdate): void;
  /** The reply has ended. */
  replied(): void;
}

interface Ports {
  readonly host: Pick<BackendHost, 'emit'>;
  readonly clock: Clock;
  readonly conversation: Pick<Conversation, 'isReplying' | 'cancel'>;
  /** The number of the agent's tool calls that began and have not ended. */
  readonly running: () => number;
  /** Those of them that wait for the answer to a request, which the hold withholds. */
  readonly asking: () => number;
  readonly boundary: () => Promise<Directive>;
  /** Does this after the deliveries under way. */
  readonly later: (work: () => Promise<void>) => void;
  /** Keeps messages for the next prompt. */
  readonly queue: (messages: readonly Message[]) => void;
}

/** How long a reply may go on after a PAUSE: with its end, no request of a model begins later than 30 s after the pause. */
const patienceMs = 25_000;

interface State extends Ports {
  /** The hold that it waits in. A reply may outlive one and meet the next. */
  since: string | null;
  patience: Cancel | null;
  /** The hold has waited long enough: the reply is cut off with the end of the tool that runs. */
  cutsAtTool: boolean;
  /** Calls of our tools that stand because of the hold. */
  standing: number;
}

export const createHoldCut = (ports: Ports): HoldCut => {
  const state: State = { ...ports, since: null, patience: null, cutsAtTool: false, standing: 0 };
  return {
    held: (since) => {
      if (!ports.conversation.isReplying()) return;
      if (state.since !== since) forget(state);
      state.since = since;
      if (state.patience !== null || state.cutsAtTool) return;
      state.patience = afterAwake(ports.clock, patienceMs, () => {
        state.patience = null;
        ports.later(() => cut(state));
      });
    },
    standing: (wait) => {
      state.standing += 1;
      return wait.finally(() => {
        state.standing -= 1;
      });
    },
    saw: (update) => {
      // The call is still in the book: its end is taken after this.
      if (state.cutsAtTool && update.kind === 'tool' && isOver(update.call) && ports.running() <= 1)
        ports.later(() => cut(state));
    },
    replied: () => forget(state),
  };
};

const forget = (state: State): void => {
  state.patience?.();
  state.patience = null;
  state.cutsAtTool = false;
  state.since = null;
};

const isOver = ({ status }: ToolPatch): boolean => status === 'completed' || status === 'failed';

const cut = async (state: State): Promise<void> => {
  const { conversation, host } = state;
  if (!conversation.isReplying()) return;
  const directive = await state.boundary();
  if (directive.kind === 'go') {
    // The hold is over.
    state.cutsAtTool = false;
    return state.queue(directive.messages);
  }
  if (directive.kind !== 'pause' || !conversation.isReplying()) return;
  if (!state.cutsAtTool && state.running() > state.standing) {
    state.cutsAtTool = true;
    if (state.running() > state.standing + state.asking())
      host.emit({ type: 'finding.noted', text: 'the pause waits for the command that runs' });
    return;
  }
  state.cutsAtTool = false;
  host.emit({
    type: 'finding.noted',
    text: 'its reply was cut off for the pause; its words so far are kept',
  });
  await conversation.cancel();
};
