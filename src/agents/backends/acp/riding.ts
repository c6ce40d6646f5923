import type { StopReason } from '../../agent-facts.ts';
import type { BackendHost, Message } from '../../port.ts';
import type { AgentUpdate, ToolPatch } from './updates.ts';

/** Each INFO that the agent has and no request of its model was seen to carry (src/agents/README.md, Signals on a running agent). */
export interface Riding {
  /** `due`: the next request of its model carries them. */
  add(messages: readonly Message[], due: boolean): void;
  /** Sees what the agent reports: some of it shows that its model was asked again. */
  saw(update: AgentUpdate): void;
  /** A reply has ended. Gives what one that was cut off may have lost. */
  ended(stop: StopReason): readonly Message[];
}

export const createRiding = (emit: BackendHost['emit']): Riding => {
  const riding = new Map<string, { readonly message: Message; due: boolean }>();

  const carry = (which: (due: boolean) => boolean): void => {
    for (const [id, { due }] of riding) {
      if (!which(due)) continue;
      riding.delete(id);
      emit({ type: 'message.carried', id });
    }
  };

  return {
    add: (messages, due) => {
      for (const message of messages) if (message.kind === 'INFO') riding.set(message.id, { message, due });
    },
    saw: (update) => {
      if (riding.size === 0) return;
      if (update.kind === 'text' || update.kind === 'thought' || (update.kind === 'tool' && update.begins))
        carry((due) => due);
      // The model is asked again with the result of a tool.
      if (update.kind === 'tool' && isOver(update.call)) for (const each of riding.values()) each.due = true;
    },
    ended: (stop) => {
      if (stop !== 'cancelled') carry(() => true);
      const left = [...riding.values()].map(({ message }) => message);
      riding.clear();
      return left;
    },
  };
};

const isOver = ({ status }: ToolPatch): boolean => status === 'completed' || status === 'failed';
