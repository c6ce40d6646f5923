import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import type { Child, Spawn, SpawnCommand } from '../../../base/spawn.ts';
import { markerOf } from '../../marker.ts';
import type { BackendHost, Brief, Message, TurnAsk, TurnResult, Worker } from '../../port.ts';
import { joinMessages, messageSchema } from '../../roles/messages.ts';
import { decideSteer, steerAction } from '../../roles/steer-tree.ts';
import { exitText } from '../exit-text.ts';
import { lastJson } from './last-json.ts';
import { createRecentText } from './recent-text.ts';

export interface CommandWorkerPorts {
  readonly brief: Brief;
  readonly host: BackendHost;
  readonly clock: Clock;
  readonly spawn: Spawn;
  /** What to start for a prompt. */
  readonly call: (prompt: string) => Omit<SpawnCommand, 'marker'>;
}

/**
 * One worker of a command agent. Such a program cannot be spoken to while it runs, so the boundary comes after its reply: a STEER then is a new prompt
 * with the message, unless it redefines the task; a pause keeps the reply, so that it is not paid for twice.
 */
export const createCommandWorker = (ports: CommandWorkerPorts): Worker => {
  const { brief, host } = ports;
  let stopped: 'abort' | 'cancel' | null = null;
  let child: Child | null = null;

  const turn: Worker['turn'] = async (ask, boundary) => {
    const data = z.object({ continuation: z.unknown().optional() }).safeParse(ask.data ?? {});
    const earlier = replySchema.safeParse(data.success ? data.data.continuation : undefined);
    let arrived: readonly Message[] = [];
    let reply: Reply | null = earlier.success ? earlier.data : null;
    if (earlier.success)
      arrived = ask.messages.filter((message) => !earlier.data.told.some(({ id }) => id === message.id));
    let told: readonly Message[] = reply?.told ?? ask.messages;
    for (let index = 0; ; index += 1) {
      const escalation = settle(arrived);
      if (escalation !== null) return escalated(ask, escalation);
      const isSteered = arrived.some((message) => message.kind === 'STEER');
      told = joinMessages(told, arrived);
      if (reply === null || isSteered) {
        if (stopped) return { kind: 'stopped', why: stopped };
        const ran = await run(promptWith(ask, told), index);
        if (stopped) return { kind: 'stopped', why: stopped };
        if (ran.kind !== 'replied') return ran;
        reply = { answer: ran.answer, told };
      }
      const directive = await boundary();
      if (directive.kind === 'pause') return { kind: 'paused', continuation: { ...reply, told } };
      if (directive.kind !== 'go') return { kind: 'stopped', why: directive.kind };
      arrived = directive.messages;
      if (!arrived.some((message) => message.kind === 'STEER'))
        return { kind: 'answered', answer: reply.answer };
    }
  };

  /** Records what each STEER comes to; the message that redefines the task, if there is one. */
  const settle = (messages: readonly Message[]): string | null => {
    let escalation: string | null = null;
    for (const message of messages) {
      if (message.kind !== 'STEER') continue;
      const decided = decideSteer(message, {
        task: brief.task ?? null,
        changed: brief.task?.files ?? [],
        ran: [],
      });
      host.emit({
        type: 'steer.decided',
        id: message.id,
        ...decided,
        action: `${steerAction(decided.verdict, message.text)} (new prompt)`,
      });
      if (decided.verdict === 'escalate') escalation = message.text;
    }
    return escalation;
  };

  type Ran =
    | { readonly kind: 'replied'; readonly answer: unknown }
    | Extract<TurnResult, { kind: 'no-result' | 'failed' }>;

  const run = async (prompt: string, index: number): Promise<Ran> => {
    const call = ports.call(prompt);
    const [program = ''] = typeof call.command === 'string' ? [call.command] : call.command;
    host.emit({ type: 'command.started', index, of: index + 1, purpose: 'run', command: { cmd: [program] } });
    const begun = ports.clock.monotonic();
    const printed = createRecentText(keptCharacters);
    child = ports.spawn.start(
      { ...call, marker: markerOf(brief) },
      {
        started: ({ pid, startTime }) =>
          host.emit({ type: 'process.started', index, pid, start_time: startTime }),
        output: (bytes, stream) => {
          host.output(bytes, stream);
          if (stream === 'stdout') printed.add(bytes);
        },
      },
    );
    const exit = await child.exit;
    child = null;
    const ok = exit.kind === 'exited' && exit.code === 0;
    const duration_ms = Math.max(0, Math.round(ports.clock.monotonic() - begun));
    host.emit({ type: 'command.ended', index, exit: exitText(exit), ok, duration_ms });
    if (!ok) {
      return {
        kind: 'failed',
        fault: {
          code: 'agent-failed',
          what: `${program} ended with ${exitText(exit)}`,
          where: brief.invocation,
        },
      };
    }
    const text = printed.text();
    const answer = lastJson(text);
    return answer === undefined ? { kind: 'no-result', raw: text } : { kind: 'replied', answer };
  };

  return {
    turn,
    stop: async (why) => {
      stopped ??= why;
      await child?.stop(brief.settings.timeouts.abort_grace);
    },
  };
};

/** A reply that was paid for, and what it was told before. */
const replySchema = z.object({ answer: z.unknown(), told: z.array(messageSchema).readonly() });
type Reply = z.infer<typeof replySchema>;

const keptCharacters = 1_048_576;

/** The procedure's prompt holds what was said before the turn; what came since stands at its end, where it is read last. */
const promptWith = (ask: TurnAsk, told: readonly Message[]): string => {
  const news = told.filter((message) => !ask.messages.some(({ id }) => id === message.id));
  if (news.length === 0) return ask.prompt;
  const lines = news.map((message) => `- ${message.kind}: ${message.text}`).join('\n');
  return `${ask.prompt}\n\n## Arrived while you worked\nYour first reply is set aside. Follow this and answer again:\n${lines}`;
};

const escalated = (ask: TurnAsk, text: string): TurnResult => ({
  kind: 'answered',
  answer:
    ask.kind === 'review'
      ? { verdict: 'Failed', escalation: text }
      : { status: 'blocked', blockers: [`STEER scope change: ${text}`], escalation: text },
});
