import { z } from 'zod';
import { type Clock, formatTimestamp } from '../../../base/clock.ts';
import type { PromptReason } from '../../agent-facts.ts';
import type { BackendHost, Brief, Message, TurnAsk, TurnResult, Worker } from '../../port.ts';
import { readReply, repairPrompt } from '../../replies/read-reply.ts';
import { concludeTurn, ordersText, redefines, steerAnswers } from '../../replies/steers.ts';
import { joinMessages, messageSchema } from '../../roles/messages.ts';
import type { ProgramRuns } from './program-run.ts';

interface CommandWorkerPorts {
  readonly brief: Brief;
  readonly host: BackendHost;
  readonly program: ProgramRuns;
  readonly clock: Clock;
}

/**
 * One worker of a command agent. Such a program takes no messages while it runs, so the boundary comes after its reply. A STEER then becomes a new
 * prompt, unless it redefines the task. What only informs is worth no call: it goes into the next prompt that is sent anyway, perhaps that of another
 * invocation. A pause keeps the reply, so that it is not paid for twice.
 */
export const createCommandWorker = (ports: CommandWorkerPorts): Worker => {
  const { brief, host, program, clock } = ports;
  const report = createReport(host, clock);
  let stopped: 'abort' | 'cancel' | null = null;

  const turn: Worker['turn'] = async (ask, boundary) => {
    const data = z.object({ continuation: z.unknown().optional() }).safeParse(ask.data ?? {});
    const earlier = replySchema.safeParse(data.success ? data.data.continuation : undefined);
    let reply: Reply | null = earlier.success ? earlier.data : null;
    let told: readonly Message[] = reply?.told ?? ask.messages;
    /** What no prompt holds yet. */
    let news: readonly Message[] = joinMessages(reply?.news ?? [], ask.messages).filter(
      ({ id }) => !told.some((message) => message.id === id),
    );
    for (let index = 0; ; index += 2) {
      const steers = news.filter(({ kind }) => kind === 'STEER');
      // An escalation is not worth another call.
      if (steers.some((message) => redefines(brief, message)))
        return concludeTurn(ask, undefined, [], steers, host.emit);
      if (reply === null || steers.length > 0) {
        if (stopped) return { kind: 'stopped', why: stopped };
        told = joinMessages(told, news);
        news = [];
        const ran = await converse(ask, told, index, steers.length > 0 ? 'messages' : 'ask');
        if (stopped) return { kind: 'stopped', why: stopped };
        if (ran.kind !== 'answered') return ran;
        const delivered = steers.map((message) => ({ message, detail: newPrompt() }));
        const settled = concludeTurn(ask, ran.answer, delivered, [], host.emit);
        if (steerAnswers(steers, ran.answer, newPrompt).escalation !== null) return settled;
        reply = { answer: settled.answer, told, news: [] };
      }
      const directive = await boundary();
      if (directive.kind === 'pause') return { kind: 'paused', continuation: { ...reply, news } };
      if (directive.kind !== 'go') return { kind: 'stopped', why: directive.kind };
      news = joinMessages(news, directive.messages);
      if (!news.some((message) => message.kind === 'STEER'))
        return { kind: 'answered', answer: reply.answer };
    }
  };

  /** Sends one prompt, and one more if the reply does not fit the contract. The program has no memory, so each prompt repeats everything. */
  const converse = async (
    ask: TurnAsk,
    told: readonly Message[],
    index: number,
    why: PromptReason,
  ): Promise<TurnResult> => {
    const prompt = promptWith(ask, told);
    const begun = (): void => report(ask, told);
    const first = await program.run({ text: prompt, index, why, begun });
    if (first.kind !== 'replied') return first;
    const read = readReply(ask.kind, brief, { update: undefined, text: first.text });
    if (read.kind === 'answer') return { kind: 'answered', answer: read.answer };
    if (first.text.trim() === '' || stopped) return { kind: 'no-result', raw: first.text, wrong: read.wrong };
    const again = `${prompt}\n\n## Your last reply\n\n${first.text.slice(-longestQuote)}\n\n## What to do now\n\n${repairPrompt(read.wrong)}`;
    const second = await program.run({ text: again, index: index + 1, why: 'repair', begun });
    if (second.kind !== 'replied') return second;
    const repaired = readReply(ask.kind, brief, { update: undefined, text: second.text });
    if (repaired.kind === 'answer') return { kind: 'answered', answer: repaired.answer };
    return { kind: 'no-result', raw: `${first.text}\n${second.text}`, wrong: repaired.wrong };
  };

  return {
    turn,
    stop: async (why) => {
      stopped ??= why;
      await program.stop(brief.settings.timeouts.abort_grace);
    },
  };
};

/** Reports the messages of a prompt, each once, when its program has shown that it works. */
const createReport = (host: BackendHost, clock: Clock) => {
  const carried = new Set<string>();
  return (ask: TurnAsk, told: readonly Message[]): void => {
    const at = formatTimestamp(clock).slice(11, 19);
    for (const { id } of told.filter((message) => !carried.has(message.id))) {
      carried.add(id);
      const words = ask.messages.some((message) => message.id === id)
        ? 'with its prompt'
        : 'with a new prompt';
      host.emit({ type: 'message.arrived', id, way: 'prompt', detail: `${words} at ${at}` });
    }
  };
};

/** A paid reply, the messages that its prompt held, and those that came later and wait for a prompt. */
const replySchema = z.object({
  answer: z.unknown(),
  told: z.array(messageSchema).readonly(),
  news: z.array(messageSchema).readonly().default([]),
});
type Reply = z.infer<typeof replySchema>;

/** The most characters of a reply that are quoted back to its program. */
const longestQuote = 20_000;

/** The procedure's prompt holds the messages from before the turn. Newer ones follow at its end, because the end is read last. */
const promptWith = (ask: TurnAsk, told: readonly Message[]): string => {
  const news = told.filter((message) => !ask.messages.some(({ id }) => id === message.id));
  if (news.length === 0) return ask.prompt;
  return `${ask.prompt}\n\n## Arrived while you worked\n\nYour first reply was discarded. Follow these messages and answer again:\n${ordersText(news)}`;
};

const newPrompt = (): string => 'new prompt';
