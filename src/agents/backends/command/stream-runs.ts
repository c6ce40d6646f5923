import type { Fault } from '../../../base/fault.ts';
import type { Child, ChildExit } from '../../../base/process/spawn.ts';
import { markerOf } from '../../marker.ts';
import { quotaEnd } from '../../quota/quota-end.ts';
import type { AgentLog } from '../acp/agent-log.ts';
import { withLog } from '../acp/faults.ts';
import { createReply } from '../acp/reply.ts';
import { createToolBook } from '../acp/tool-book.ts';
import { exitClause } from '../exit-text.ts';
import { createJsonLines } from './output/json-lines.ts';
import type { OutputProfile, StreamEnd, StreamEvent } from './output/output-profile.ts';
import { type ProgramRunPorts, type ProgramRuns, programOf, type Ran } from './program-run.ts';

interface StreamRunPorts extends ProgramRunPorts {
  /** The agent's name in the configuration. */
  readonly name: string;
  readonly profile: OutputProfile;
  /** For stderr, and for lines that could not be read. */
  readonly log: AgentLog;
}

/**
 * Runs of a program that prints its work as JSON lines. They give the same facts as an agent that speaks ACP. The result line decides together with
 * the exit code: an exit with 0 is no answer, and a result is none when the program failed after it.
 */
export const createStreamRuns = (ports: StreamRunPorts): ProgramRuns => {
  const { brief, host, clock, spawn, profile, log } = ports;
  let child: Child | null = null;
  /** A broken line was named already. */
  let isNamed = false;

  const nameBroken = (bytes: Uint8Array, number: number): void => {
    log.write(bytes);
    if (isNamed) return;
    isNamed = true;
    const text = `line ${number} of ${profile.label}'s output is not a JSON object; it is in ${log.file}`;
    host.emit({ type: 'finding.noted', text });
  };

  return {
    run: async ({ text, index, why, begun }) => {
      const call = ports.call(text);
      const sent = clock.monotonic();
      const stream = createStream(ports, index);
      const lines = createJsonLines(stream.take, nameBroken);
      host.emit({ type: 'agent.launched', program: programOf(call) });
      host.emit({ type: 'prompt.sent', index, why });
      child = spawn.start(
        { ...call, marker: markerOf(brief) },
        {
          started: ({ pid, startTime }) =>
            host.emit({ type: 'agent.process-started', pid, start_time: startTime }),
          output: (bytes, from) => {
            host.heard?.();
            if (from === 'stdout') {
              begun();
              lines.take(bytes);
            } else log.write(bytes);
          },
        },
      );
      const exit = await child.exit;
      child = null;
      lines.end();
      const { end, said } = stream.close();
      const ran = resultOf(ports, exit, end, said);
      host.emit({
        type: 'reply.ended',
        index,
        stop: end?.stop ?? 'lost',
        duration_ms: Math.max(0, Math.round(clock.monotonic() - sent)),
        ...(end?.tokens ? { tokens: end.tokens } : {}),
      });
      return ran;
    },
    stop: async (graceMs) => {
      await child?.stop(graceMs);
    },
  };
};

/** Turns the lines of one run into facts and output. */
const createStream = ({ brief, host, clock, profile }: StreamRunPorts, index: number) => {
  const book = createToolBook(host.emit, () => clock.monotonic());
  // A fresh memory: two runs that cost the same are two costs.
  const reply = createReply(host, book, new Map());
  const read = profile.reader(brief.workspace);
  let end: StreamEnd | null = null;
  let remark: string | null = null;

  /** A remark waits for the next event, because Codex gives the reason of a failure twice. */
  const note = (next: string | null): void => {
    if (remark !== null) host.emit({ type: 'finding.noted', text: `${profile.label}: ${remark}` });
    remark = next;
  };

  const takeOne = (event: StreamEvent): void => {
    if (event.kind === 'end' && event.failure?.sentence === remark) remark = null;
    note(event.kind === 'remark' ? event.text.slice(0, longestRemark) : null);
    switch (event.kind) {
      case 'remark':
        return;
      case 'end':
        end = event;
        return;
      case 'session':
        host.emit({
          type: 'agent.connected',
          label: profile.label,
          began: 'new',
          reach: 'turn-end',
          session: event.session,
          ...(event.version === undefined ? {} : { version: event.version }),
          ...(event.model === undefined ? {} : { model: event.model }),
          ...(event.mode === undefined ? {} : { mode: event.mode }),
          resume_command: profile.resumeCommand.replace('{session}', event.session),
        });
        return;
      case 'tool':
        // Codex numbers the calls of every run again.
        reply.take({
          kind: 'tool',
          call: {
            ...event.call,
            toolCallId: index === 0 ? event.call.toolCallId : `${index}-${event.call.toolCallId}`,
          },
        });
        return;
      default:
        reply.take(event);
    }
  };

  return {
    take: (line: object): void => {
      for (const event of read(line)) takeOne(event);
    },
    close: (): { readonly end: StreamEnd | null; readonly said: string } => {
      note(null);
      reply.close();
      book.endAll();
      return { end, said: reply.text() };
    },
  };
};

const longestRemark = 500;

const resultOf = (ports: StreamRunPorts, exit: ChildExit, end: StreamEnd | null, said: string): Ran => {
  const failure = end?.failure;
  if (failure?.why === 'quota')
    return {
      kind: 'failed',
      fault: faultOf(ports, 'agent-quota', `has used up its quota: ${failure.sentence}`),
      quotaUntil:
        untilOf(failure.until ?? null, ports.clock.now()) ?? quotaEnd(failure.sentence, ports.clock),
    };
  if (failure?.why === 'login') {
    const hint = `run \`${ports.profile.login}\` in a terminal, or pass its key with agents.${ports.name}.pass_env`;
    return {
      kind: 'failed',
      fault: faultOf(ports, 'agent-login', `is not logged in: ${failure.sentence}`, hint),
    };
  }
  if (failure)
    return { kind: 'failed', fault: faultOf(ports, 'agent-refused', `stopped: ${failure.sentence}`) };
  if (exit.kind === 'not-started')
    return {
      kind: 'failed',
      fault: faultOf(
        ports,
        'agent-not-found',
        `cannot be started: ${exit.reason}`,
        `put it on the PATH, or name its path in agents.${ports.name}.command`,
      ),
    };
  const isGood = exit.kind === 'exited' && exit.code === 0;
  if (end !== null && isGood) return { kind: 'replied', text: said.trim() === '' ? (end.text ?? '') : said };
  const without = end === null ? ' and printed no result line' : '';
  const fault = faultOf(ports, 'agent-ended', `${exitClause(exit)}${without}`);
  return { kind: 'failed', fault: withLog(fault, ports.log) };
};

/** A time that is over says nothing. */
const untilOf = (until: number | null, now: number): number | null =>
  until !== null && until > now ? until : null;

const faultOf = ({ profile, name }: StreamRunPorts, code: string, what: string, hint?: string): Fault => ({
  code,
  what: `${profile.label} ${what.replaceAll(/\s+/gu, ' ').slice(0, 400)}`,
  where: name,
  ...(hint === undefined ? {} : { hint }),
});
