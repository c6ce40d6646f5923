import { markerOf } from '../../agents/marker.ts';
import type { Backend, Brief, Directive, Message } from '../../agents/port.ts';
import type { AgentTools } from '../../agents/tools.ts';
import { afterAwake } from '../../base/after-awake.ts';
import type { Clock } from '../../base/clock.ts';
import type { Spawn } from '../../base/process/spawn.ts';
import { defaultSettings } from '../../session/settings.ts';
import type { TrialPlace } from './trial-place.ts';
import { createTrialHost, createWitness, type Trial, watchedTools } from './trial-witness.ts';

export interface TrialPorts {
  readonly clock: Clock;
  readonly spawn: Spawn;
  readonly place: TrialPlace;
  /** The agent with tools whose calls `watch` sees. */
  readonly backendWith: (watch: (tools: AgentTools) => AgentTools) => Backend;
  readonly timeoutMs: number;
  /** Ends the turn early. */
  readonly over: AbortSignal;
}

/** The sum of the prompt and the product of the message, which no echo of either contains. */
export const wantedAnswers = { prompt: '42', message: '63' } as const;

const prompt = [
  'This is a connection test of ralph-tui. There is no task: change nothing, read no file and run no command.',
  '1. Call the tool check_signals of the MCP server "ralph" once, without arguments. If you do not have it, continue without it.',
  '2. End your turn with one line that is a JSON object: {"sum": N}, where N is 19 plus 23. Say nothing else.',
  'The person in charge may send you a message while you work. Do what it says too.',
].join('\n');

const message: Message = {
  id: 'verify-1',
  kind: 'INFO',
  text: 'Give your JSON object a second field: "product", which is 7 times 9.',
};

const stopGraceMs = 2_000;

/** Runs one turn of an agent, refuses everything but reading in its directory, and sends one message while it works. */
export const runTrial = async (ports: TrialPorts): Promise<Trial> => {
  const { clock, spawn } = ports;
  const witness = createWitness(clock);
  const ended = Promise.withResolvers<null>();
  const host = createTrialHost(witness, () => {
    void worker.stop('cancel').then(() => ended.resolve(null));
  });
  const watch = (tools: AgentTools): AgentTools => watchedTools(tools, witness, () => worker);
  let mail: readonly Message[] = [message];
  const boundary = async (): Promise<Directive> => {
    const messages = mail;
    mail = [];
    return { kind: 'go', messages };
  };
  const brief = briefIn(ports.place);
  const worker = ports.backendWith(watch).start(brief, host);
  const stopping = Promise.withResolvers<'late' | 'left'>();
  const cancel = afterAwake(clock, ports.timeoutMs, () => stopping.resolve('late'));
  const leave = (): void => stopping.resolve('left');
  ports.over.addEventListener('abort', leave);
  if (ports.over.aborted) leave();
  try {
    const turn = worker.turn({ kind: 'explore', prompt, messages: [] }, boundary);
    const end = await Promise.race([turn, stopping.promise]);
    const wasStopped = end === 'late' || end === 'left';
    if (wasStopped) await worker.stop('cancel');
    else if (end.kind === 'stopped') await ended.promise;
    else await worker.end?.();
    const { unverified } = await spawn.stopMarked([markerOf(brief)], stopGraceMs);
    return {
      ...witness.seen,
      fault: !wasStopped && end.kind === 'failed' ? end.fault : null,
      lateMs: end === 'late' ? ports.timeoutMs : null,
      left: end === 'left',
      unverified,
    };
  } finally {
    cancel();
    ports.over.removeEventListener('abort', leave);
  }
};

const briefIn = ({ workspace, sessionDirectory }: TrialPlace): Brief => ({
  invocation: 'Questioner-1',
  role: 'Questioner',
  mode: 'research',
  session: 'verify',
  iteration: 1,
  cycle: 1,
  goal: 'Test the connection to this agent',
  workspace,
  sessionDirectory,
  tasks: [],
  messages: [],
  settings: defaultSettings,
});
