import { afterAwake } from '../../../base/after-awake.ts';
import { type Cancel, type Clock, formatTimestamp } from '../../../base/clock.ts';
import type { MessageWay, StopReason } from '../../agent-facts.ts';
import type { BackendHost, Directive, Message } from '../../port.ts';
import type { Delivered } from '../../replies/steers.ts';
import type { WaitingMail } from '../../waiting-mail.ts';
import type { Conversation } from './conversation.ts';
import type { PromptBlock } from './link.ts';
import { messageBlocks, messageText } from './message-text.ts';
import { createRiding } from './riding.ts';
import type { AgentUpdate } from './updates.ts';

/** Delivers people's messages to a working agent (src/agents/README.md, Signals on a running agent). */
export interface Delivery {
  /** Begins a turn with its boundary. */
  begin(boundary: () => Promise<Directive>): void;
  /** Passes the boundary for one result of our tools. The result carries the messages. */
  atTool(): Promise<Directive>;
  /** Records messages whose tool result was sent to the agent. */
  reached(messages: readonly Message[]): void;
  /** Queues messages again whose tool result never reached the agent. */
  missed(messages: readonly Message[]): void;
  /** Announces waiting mail. Injects it if the agent allows that. Else it waits for a tool call, the end of the turn, or a STEER's timeout. */
  notice(mail: WaitingMail): void;
  /** Gives the words of waiting messages to an agent that asks for them between its tools. */
  pulled(): Promise<readonly string[]>;
  /** Ends the reply: waits for pending deliveries, passes the boundary, and gives the messages for the next prompt. */
  atEnd(): Promise<Directive>;
  /** Records the messages that the turn's first prompt holds, once the agent shows that it has it. They were decided before the turn. */
  told(messages: readonly Message[]): void;
  /** Records the messages of a later prompt, once the agent shows that it has it. */
  prompted(messages: readonly Message[]): void;
  /** Sees what the agent reports: some of it shows that its model was asked anew. */
  saw(update: AgentUpdate): void;
  /** A reply has ended. One that was cut off may have lost what was injected into it: the next prompt carries that. */
  replied(stop: StopReason): void;
  /** All messages that reached the agent in this turn, except those its first prompt held. */
  readonly delivered: () => readonly Delivered[];
}

interface DeliveryPorts {
  readonly host: BackendHost;
  readonly clock: Clock;
  readonly conversation: Conversation;
  readonly uriOf: (path: string) => string | null;
}

/** How long a STEER waits for a call of our tools before it cancels the reply. */
const steerPatienceMs = 30_000;

const nowhere = async (): Promise<Directive> => ({ kind: 'go', messages: [] });

export const createDelivery = ({ host, clock, conversation, uriOf }: DeliveryPorts): Delivery => {
  let boundary = nowhere;
  let delivered: Delivered[] = [];
  const known = new Set<string>();
  let queued: readonly Message[] = [];
  /** Messages for which a reply was interrupted, with the seconds until it ended. */
  const cut = new Map<string, string>();
  let under: Promise<unknown> = Promise.resolve();
  let patience: Cancel | null = null;
  /** Mail was announced in this reply. */
  let noticed = false;

  const riding = createRiding(host.emit);

  const report = (
    messages: readonly Message[],
    way: MessageWay,
    words: string,
    more = '',
  ): readonly Delivered[] => {
    const detail = `${words} at ${formatTimestamp(clock).slice(11, 19)}${more}`;
    for (const { id } of messages) host.emit({ type: 'message.arrived', id, way, detail });
    return messages.map((message) => ({ message, detail }));
  };

  const arrived = (...what: Parameters<typeof report>): void => {
    delivered.push(...report(...what));
  };

  const endPatience = (): void => {
    patience?.();
    patience = null;
  };

  /** Passes the boundary for messages that may join the reply. Only an escalation ends the work at once; the agent gets all others. */
  const joining = async (): Promise<readonly Message[]> => {
    const directive = await boundary();
    if (directive.kind !== 'go' || directive.messages.length === 0) return [];
    const { messages } = directive;
    if (!messages.some(isEscalation) && conversation.isReplying()) return messages;
    queued = [...queued, ...messages];
    if (messages.some(isEscalation)) await conversation.cancel();
    return [];
  };

  const inject = async (): Promise<void> => {
    const session = await conversation.session(null);
    const messages = await joining();
    if (messages.length === 0) return;
    const blocks: readonly PromptBlock[] = messageBlocks(messageText(messages, 'injected'), messages, uriOf);
    const taken = await conversation.inject(session, blocks).catch(() => false);
    if (taken) {
      arrived(messages, 'injected', wayWords[session.reach]);
      riding.add(messages, false);
    } else queued = [...queued, ...messages];
  };

  const pull = async (): Promise<readonly string[]> => {
    if (!noticed || !conversation.isReplying()) return [];
    noticed = false;
    const messages = await joining();
    if (messages.length === 0) return [];
    endPatience();
    arrived(messages, 'injected', wayWords.pull);
    riding.add(messages, true);
    return [messageText(messages, 'injected')];
  };

  /** Cancels the reply for a STEER that no call of our tools fetched, or whose sender did not want to wait. The next prompt carries it. */
  const cutOff = async (): Promise<void> => {
    const directive = await boundary();
    if (directive.kind !== 'go' || directive.messages.length === 0) return;
    queued = [...queued, ...directive.messages];
    if (!conversation.isReplying()) return;
    const begun = clock.monotonic();
    await conversation.cancel();
    const seconds = ((clock.monotonic() - begun) / 1_000).toFixed(1);
    for (const { id } of directive.messages) cut.set(id, seconds);
  };

  const then = (work: () => Promise<void>): void => {
    // If a boundary fails, the next pass of it ends the turn.
    under = under.then(work).catch(() => {});
  };

  return {
    begin: (next) => {
      boundary = next;
      delivered = [];
    },
    told: (messages) => {
      const fresh = messages.filter(({ id }) => !known.has(id));
      for (const { id } of fresh) known.add(id);
      report(fresh, 'prompt', 'with its prompt');
    },
    atTool: async () => {
      const directive = await boundary();
      if (directive.kind === 'go' && directive.messages.length > 0) endPatience();
      return directive;
    },
    reached: (messages) => {
      arrived(messages, 'tool-result', 'with a result of our tools');
      riding.add(messages, true);
    },
    missed: (messages) => {
      queued = [...queued, ...messages];
    },
    notice: ({ steer, now }) => {
      if (!conversation.isReplying()) return;
      noticed = true;
      if (now) return then(cutOff);
      if (conversation.takesMessages(steer)) return then(inject);
      if (!steer || patience) return;
      patience = afterAwake(clock, steerPatienceMs, () => {
        patience = null;
        if (conversation.isReplying()) then(cutOff);
      });
    },
    pulled: () => {
      const words = under.then(pull).catch(() => []);
      under = words;
      return words;
    },
    atEnd: async () => {
      endPatience();
      await under;
      const waiting = queued;
      queued = [];
      if (waiting.length > 0) return { kind: 'go', messages: waiting };
      return boundary();
    },
    prompted: (messages) => {
      for (const message of messages) {
        const seconds = cut.get(message.id);
        const how = seconds === undefined ? '' : `, its reply interrupted for it in ${seconds} s`;
        arrived([message], 'prompt', 'with a new prompt', how);
      }
    },
    saw: riding.saw,
    replied: (stop) => {
      queued = [...queued, ...riding.ended(stop)];
    },
    delivered: () => delivered,
  };
};

export const isEscalation = ({ kind, apply }: Message): boolean => kind === 'STEER' && apply === 'escalate';

const wayWords = {
  steering: 'through its steering extension',
  'cutting-steering': 'through its steering extension, which cut its reply',
  'second-prompt': 'with a second prompt',
  pull: 'between two of its tools',
  'tool-result': 'with a result of our tools',
  'turn-end': 'with a new prompt',
} as const;
