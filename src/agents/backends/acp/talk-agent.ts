import type { StopReason } from '../../agent-facts.ts';
import type { PermissionAsk } from '../../permissions.ts';
import type { AcpWorkerPorts } from './acp-worker.ts';
import { createConversation } from './conversation.ts';
import { type ElicitPorts, elicit } from './elicitation/elicit.ts';
import { answerRequest } from './permission/answer-request.ts';
import { permissionAsk } from './permission/permission-ask.ts';
import { createToolBook } from './tool-book.ts';

/** An agent that converses with a person: free words, no task, no tools of ours. */
export interface TalkAgent {
  /** Opens the agent's session, its `earlier` one where that works. `remembers`: it knows what was said there. Rejects with a `FaultError`. */
  open(earlier: string | null): Promise<{ readonly session: string; readonly remembers: boolean }>;
  /** Sends words and resolves with the whole reply. Rejects with a `FaultError` when the agent ends first. */
  say(words: string): Promise<{ readonly text: string; readonly stop: StopReason }>;
  /** Ends the reply that runs. */
  cancel(): Promise<void>;
  /** Ends the agent; resolves when it is gone. */
  end(): Promise<void>;
}

/**
 * One process of an agent for one conversation. `form` puts a form of the agent to the person, until the signal says that it is withdrawn. `ended` gets each call that
 * was not refused, judged like a request for it: with its command as far as the agent named it.
 */
export const createTalkAgent = (
  ports: Omit<AcpWorkerPorts, 'tools'>,
  form: (over: AbortSignal) => ElicitPorts,
  ended: (call: PermissionAsk) => void,
): TalkAgent => {
  const { host, clock, brief } = ports;
  const grace = brief.settings.timeouts.abort_grace;
  const book = createToolBook(
    host.emit,
    () => clock.monotonic(),
    (call, refused) => {
      if (!refused) ended(permissionAsk({ call, announced: null }, ports));
    },
  );
  const conversation = createConversation({ ...ports, book });
  const { profile, places } = ports;
  conversation.listen({
    permission: (request, over) =>
      answerRequest({ host, book, profile, places, allowMode: conversation.allowMode }, request, over),
    elicit: (asked, over) => elicit(asked, form(over)),
    pull: async () => [],
    saw: () => {},
    servers: async () => [],
    listed: async () => {},
  });
  return {
    open: async (earlier) => {
      const { id, remembers } = await conversation.session(earlier);
      return { session: id, remembers };
    },
    say: async (words) =>
      conversation.say(await conversation.session(null), [{ type: 'text', text: words }], 'ask'),
    cancel: conversation.cancel,
    end: async () => {
      await conversation.end(grace);
    },
  };
};
