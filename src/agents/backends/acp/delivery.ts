import { afterAwake } from '../../../base/after-awake.ts';
import { type Cancel, type Clock, formatTimestamp } from '../../../base/clock.ts';
import type { MessageWay, StopReason } from '../../agent-facts.ts';
import type { BackendHost, Brief, Directive, Message } from '../../port.ts';
import { type Delivered, redefines } from '../../replies/steers.ts';
import type { WaitingMail } from '../../waiting-mail.ts';
import type { Conversation } from './conversation.ts';
import { createHoldCut } from './hold-cut.ts';
import type { PromptBlock } from './link.ts';
import { messageBlocks, messageText } from './message-text.ts';
import { createRiding, type Riding } from './riding.ts';
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
  /** Hears since when the session is held: a reply that goes on is cut off after a while, so that a pause spends nothing. A tool that runs ends first. */
  held(since: string): void;
  /** Marks a call of our tools as standing until this resolves. */
  standing<T>(wait: Promise<T>): Promise<T>;
  /** Gives the words of waiting messages to an agent that asks for them between its tools. */
  pulled(): Promise<readonly string[]>;
  /** Ends the reply: waits for pending deliveries, passes the boundary, and gives the messages for the next prompt. */
  atEnd(): Promise<Directive>;
  /** Records the messages that the turn's first prompt holds, once the agent shows that it has it. They were decided before the turn. */
  told(messages: readonly Message[]): void;
  /** Records the messages of a later prompt, once the agent shows that it has it. */
  prompted(messages: readonly Message[]): void;
  /** Sees what the agent reports: some of it shows that its model was asked again. */
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
  readonly brief: Brief;
  /** The number of the agent's tool calls that began and have not ended. */
  readonly running: () => number;
  /** Those of them that wait for the answer to a request. */
  readonly asking: () => number;
}

/** How long a STEER waits for a call of our tools before it cancels the reply. */
const steerPatienceMs = 30_000;

const nowhere = async (): Promise<Directive> => ({ kind: 'go', messages: [] });

interface Context extends DeliveryPorts {
  boundary: () => Promise<Directive>;
  readonly delivered: Delivered[];
  queued: readonly Message[];
  /** Messages for which a reply was interrupted, with the seconds until it ended. */
  readonly cut: Map<string, string>;
  /** The deliveries under way, one after another. */
  under: Promise<unknown>;
  patience: Cancel | null;
  /** Mail was announced in this reply. */
  noticed: boolean;
  readonly riding: Riding;
}

export const createDelivery = (ports: DeliveryPorts): Delivery => {
  const riding = createRiding(ports.host.emit);
  const context: Context = {
    ...ports,
    boundary: nowhere,
    delivered: [],
    queued: [],
    cut: new Map(),
    under: Promise.resolve(),
    patience: null,
    noticed: false,
    riding,
  };
  const hold = createHoldCut({
    ...ports,
    boundary: () => context.boundary(),
    later: (work) => then(context, work),
    queue: (messages) => queue(context, messages),
  });
  const known = new Set<string>();
  return {
    begin: (next) => {
      context.boundary = next;
      context.delivered.length = 0;
    },
    told: (messages) => {
      const fresh = messages.filter(({ id }) => !known.has(id));
      for (const { id } of fresh) known.add(id);
      report(context, fresh, 'prompt', 'with its prompt');
    },
    atTool: async () => {
      const directive = await context.boundary();
      if (directive.kind === 'go' && directive.messages.length > 0) endPatience(context);
      return directive;
    },
    reached: (messages) => {
      arrived(context, messages, 'tool-result', 'with the result of a ralph-tui tool');
      riding.add(messages, true);
    },
    missed: (messages) => queue(context, messages),
    notice: (mail) => notice(context, mail),
    held: hold.held,
    standing: hold.standing,
    pulled: () => {
      const words = context.under.then(() => pull(context)).catch(() => []);
      context.under = words;
      return words;
    },
    atEnd: async () => {
      endPatience(context);
      await context.under;
      const messages = context.queued;
      context.queued = [];
      return messages.length > 0 ? { kind: 'go', messages } : context.boundary();
    },
    prompted: (messages) => {
      for (const message of messages) {
        const seconds = context.cut.get(message.id);
        const how = seconds === undefined ? '' : `, after its reply was interrupted, which took ${seconds} s`;
        arrived(context, [message], 'prompt', 'with a new prompt', how);
      }
    },
    saw: (update) => {
      riding.saw(update);
      hold.saw(update);
    },
    replied: (stop) => {
      hold.replied();
      queue(context, riding.ended(stop));
    },
    delivered: () => [...context.delivered],
  };
};

/** Injects the mail where the agent allows that. Else a STEER ends the reply: at once where its sender or a refusal wants that, or after a while. */
const notice = (context: Context, { steer, now, refused }: WaitingMail): void => {
  const { conversation, clock } = context;
  if (!conversation.isReplying()) return;
  context.noticed = true;
  // An agent that asks for words between its tools asks after the one that was refused.
  const cuts = now || (refused === true && !conversation.takesMessages(steer) && !conversation.pulls());
  if (cuts) then(context, cutOff);
  else if (conversation.takesMessages(steer)) then(context, inject);
  else if (steer && context.patience === null)
    context.patience = afterAwake(clock, steerPatienceMs, () => {
      context.patience = null;
      if (conversation.isReplying()) then(context, cutOff);
    });
};

const then = (context: Context, work: (context: Context) => Promise<void>): void => {
  // If a boundary fails, the next pass of it ends the turn.
  context.under = context.under.then(() => work(context)).catch(() => {});
};

const queue = (context: Context, messages: readonly Message[]): void => {
  context.queued = [...context.queued, ...messages];
};

const endPatience = (context: Context): void => {
  context.patience?.();
  context.patience = null;
};

const report = (
  { host, clock }: Context,
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
  what[0].delivered.push(...report(...what));
};

/** Passes the boundary for messages that may join the reply. Only an escalation ends the work at once; the agent gets all others. */
const joining = async (context: Context): Promise<readonly Message[]> => {
  const { conversation, brief } = context;
  const isEscalation = (message: Message): boolean => redefines(brief, message);
  const directive = await context.boundary();
  if (directive.kind !== 'go' || directive.messages.length === 0) return [];
  const { messages } = directive;
  if (!messages.some(isEscalation) && conversation.isReplying()) return messages;
  queue(context, messages);
  if (messages.some(isEscalation)) await conversation.cancel();
  return [];
};

const inject = async (context: Context): Promise<void> => {
  const { conversation, uriOf, riding } = context;
  const session = await conversation.session(null);
  const messages = await joining(context);
  if (messages.length === 0) return;
  const blocks: readonly PromptBlock[] = messageBlocks(messageText(messages, 'injected'), messages, uriOf);
  const taken = await conversation.inject(session, blocks).catch(() => false);
  if (!taken) return queue(context, messages);
  arrived(context, messages, 'injected', wayWords[session.reach]);
  riding.add(messages, false);
};

const pull = async (context: Context): Promise<readonly string[]> => {
  if (!context.noticed || !context.conversation.isReplying()) return [];
  context.noticed = false;
  const messages = await joining(context);
  if (messages.length === 0) return [];
  endPatience(context);
  arrived(context, messages, 'injected', wayWords.pull);
  context.riding.add(messages, true);
  return [messageText(messages, 'injected')];
};

/** Cancels the reply for a STEER that no call of our tools fetched, or whose sender did not want to wait. The next prompt carries it. */
const cutOff = async (context: Context): Promise<void> => {
  const { clock, conversation, cut } = context;
  const directive = await context.boundary();
  if (directive.kind !== 'go' || directive.messages.length === 0) return;
  queue(context, directive.messages);
  if (!conversation.isReplying()) return;
  const begun = clock.monotonic();
  await conversation.cancel();
  const seconds = ((clock.monotonic() - begun) / 1_000).toFixed(1);
  for (const { id } of directive.messages) cut.set(id, seconds);
};

const wayWords = {
  steering: 'through its steering extension',
  'cutting-steering': 'through its steering extension, which cut off its reply',
  'second-prompt': 'with a second prompt',
  pull: 'between two tool calls',
  'tool-result': 'with the result of a ralph-tui tool',
  'turn-end': 'with a new prompt',
} as const;
