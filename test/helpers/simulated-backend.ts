import { z } from 'zod';
import { type ImplementAnswer, type ReviewAnswer, steerTraceSchema } from '../../src/agents/answers.ts';
import type {
  Backend,
  BackendHost,
  Brief,
  Message,
  TurnAsk,
  TurnResult,
  Worker,
} from '../../src/agents/port.ts';
import { decideSteer, steerAction } from '../../src/agents/steer-tree.ts';
import type { Cancel, Clock } from '../../src/base/clock.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';

export interface SimulatedBackendOptions {
  readonly clock: Clock;
  readonly seed: number;
  /** Planning, questions and knowledge: everything but the work and its review. */
  readonly otherwise: Backend;
  readonly odds?: Partial<Odds>;
  readonly name?: string;
  /** What the agent of a phase of a flow hands in, and what it changes on its way. Without it such turns are `otherwise`'s. */
  readonly phases?: (kind: string, brief: Brief, random: SeededRandom) => Readonly<Record<string, unknown>>;
}

/** How often an agent goes wrong, and in which way; the rest of the time it does its work. */
export interface Odds {
  readonly fails: number;
  readonly isBlocked: number;
  /** The call itself fails. */
  readonly crashes: number;
  readonly endsWithoutResult: number;
  readonly quota: number;
  /** Answers, but not what was asked for. */
  readonly nonsense: number;
  /** The Reviewer says Failed. */
  readonly rejects: number;
  /** Takes a hundred times as long. */
  readonly isSlow: number;
}

const usual: Odds = {
  fails: 0.1,
  isBlocked: 0.04,
  crashes: 0.06,
  endsWithoutResult: 0.05,
  quota: 0,
  nonsense: 0,
  rejects: 0.15,
  isSlow: 0.05,
};

/**
 * Agents of all tempers on a manual clock, without a process: one seed and one invocation are one behaviour, whatever else goes on. The work has one to
 * four steps with a boundary after each; a pause keeps the steps that are done.
 */
export const createSimulatedBackend = (options: SimulatedBackendOptions): Backend => ({
  name: options.name ?? 'simulated',
  label: 'agents of all tempers',
  start: (brief, host) => {
    const other = options.otherwise.start(brief, host);
    const worker = createSimulatedWorker(options, brief, host);
    return {
      turn: (ask, boundary) =>
        (isSimulated(ask) || (options.phases !== undefined && isOfPhase(ask)) ? worker : other).turn(
          ask,
          boundary,
        ),
      stop: async (why) => {
        await Promise.all([worker.stop(why), other.stop(why)]);
      },
    };
  },
});

const isSimulated = (ask: TurnAsk): boolean => ask.kind === 'implement' || ask.kind === 'review';

const isOfPhase = (ask: Pick<TurnAsk, 'kind'>): boolean => ask.kind.startsWith('flow-');

const progressSchema = z.object({
  done: z.number().int(),
  seen: z.array(z.string()).readonly(),
  steers: z.array(steerTraceSchema).readonly(),
});
type Progress = z.infer<typeof progressSchema>;

const createSimulatedWorker = (options: SimulatedBackendOptions, brief: Brief, host: BackendHost): Worker => {
  const odds = { ...usual, ...options.odds };
  const random = createSeededRandom(hash(`${options.seed} ${brief.invocation} ${brief.attempt ?? 0}`));
  const steps = 1 + random.int(4);
  const stepMs = (20 + random.int(2_000)) * (random.chance(odds.isSlow) ? 100 : 1);
  const fate = fateOf(random.next(), odds);
  const rejects = random.chance(odds.rejects);
  const stopping = new Set<() => void>();
  let stopped: 'abort' | 'cancel' | null = null;

  /** Ends after `ms`, or at once when the worker is stopped. */
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      let cancel: Cancel = () => {};
      const end = (): void => {
        stopping.delete(end);
        cancel();
        resolve();
      };
      cancel = options.clock.after(ms, end);
      stopping.add(end);
    });

  const carried = new Set<string>();
  const step = async (index: number, purpose: 'run' | 'verify', told: readonly Message[]): Promise<void> => {
    const command = { cmd: `${purpose} step ${index + 1} of ${brief.task?.id ?? brief.role}` };
    host.emit({ type: 'command.started', index, command, of: steps, purpose });
    for (const { id } of told.filter((message) => !carried.has(message.id))) {
      carried.add(id);
      host.emit({ type: 'message.arrived', id, way: 'command', detail: `in step ${index + 1}` });
    }
    host.output(new TextEncoder().encode(`${command.cmd}\n`), 'stdout');
    await sleep(stepMs);
    const ok = stopped === null;
    host.emit({ type: 'command.ended', index, exit: ok ? '0' : 'SIGTERM', ok, duration_ms: stepMs });
  };

  const steer = (
    ask: Pick<TurnAsk, 'messages'>,
    before: Progress,
  ): Progress & { escalation: string | null; again: boolean } => {
    const news = ask.messages.filter((message) => !before.seen.includes(message.id));
    const steers = news
      .filter((message) => message.kind === 'STEER')
      .map((message) => {
        const changed = before.done > 0 ? (brief.task?.files ?? []) : [];
        const decided = decideSteer(message, { task: brief.task ?? null, changed, ran: [] });
        const action = steerAction(decided.verdict, message.text);
        host.emit({ type: 'steer.decided', id: message.id, ...decided, action });
        return { id: message.id, text: message.text, ...decided, action };
      });
    return {
      done: before.done,
      seen: [...before.seen, ...news.map((message) => message.id)],
      steers: [...before.steers, ...steers],
      escalation: steers.find((trace) => trace.verdict === 'escalate')?.text ?? null,
      again: steers.some((trace) => trace.verdict === 'restart'),
    };
  };

  const turn: Worker['turn'] = async (ask, boundary): Promise<TurnResult> => {
    const purpose = ask.kind === 'review' ? 'verify' : 'run';
    const data = z.object({ continuation: z.unknown().optional() }).parse(ask.data ?? {});
    const earlier = progressSchema.safeParse(data.continuation);
    let progress: Progress = earlier.success
      ? earlier.data
      : { done: 0, seen: ask.messages.map((message) => message.id), steers: [] };
    let looking = earlier.success;
    let arrived = ask.messages;
    let told = ask.messages;
    while (looking || progress.done < steps) {
      const steered = steer({ messages: arrived }, progress);
      if (steered.escalation !== null)
        return { kind: 'answered', answer: escalated(ask.kind, steered.escalation, steered.steers) };
      progress = { done: steered.again ? 0 : progress.done, seen: steered.seen, steers: steered.steers };
      arrived = [];
      if (stopped) return { kind: 'stopped', why: stopped };
      if (!looking) {
        await step(progress.done, purpose, told);
        if (stopped) return { kind: 'stopped', why: stopped };
        progress = { ...progress, done: progress.done + 1 };
        if (fate === 'crashes' && progress.done === 1) throw new Error('the agent crashed');
      }
      looking = false;
      const directive = await boundary();
      if (directive.kind === 'pause') return { kind: 'paused', continuation: progress };
      if (directive.kind !== 'go') return { kind: 'stopped', why: directive.kind };
      arrived = directive.messages;
      told = [...told, ...arrived];
      // What arrives after the last step is settled too, by one more round without a step.
      looking = arrived.length > 0 && progress.done >= steps;
    }
    return ask.kind === 'review' ? reviewed(progress) : worked(progress, ask.kind);
  };

  const worked = (progress: Progress, kind: string): TurnResult => {
    const handedIn = options.phases?.(kind, brief, random) ?? {};
    const fault = endOfFate(fate, options.clock.now());
    if (fault) return fault;
    const criteria = (brief.task?.criteria ?? []).map(
      (criterion) => ({ criterion, status: 'met', evidence: '' }) as const,
    );
    const answer: ImplementAnswer = {
      status: fate === 'fails' ? 'failed' : fate === 'isBlocked' ? 'blocked' : 'completed',
      summary: [],
      files_modified: brief.task?.files ?? [],
      criteria,
      verification: [`${steps} steps`],
      feedback_addressed: [],
      discovered_tasks: [],
      blockers:
        fate === 'fails' ? ['the work failed'] : fate === 'isBlocked' ? ['it waits for somebody'] : [],
      steers: progress.steers,
    };
    return {
      kind: 'answered',
      answer: answer.status === 'completed' ? { ...answer, ...handedIn } : answer,
    };
  };

  const reviewed = (progress: Progress): TurnResult => {
    const fault = endOfFate(fate, options.clock.now());
    if (fault) return fault;
    const answer: ReviewAnswer = {
      verdict: rejects ? 'Failed' : 'Qualified',
      summary: [],
      criteria: [],
      issues: rejects ? ['not good enough'] : [],
      actions: [`${steps} steps`],
      reasoning: '',
      feedback: rejects ? 'not good enough' : '',
      steers: progress.steers,
      verification: [],
    };
    return { kind: 'answered', answer };
  };

  return {
    turn: async (ask, boundary) => {
      try {
        return await turn(ask, boundary);
      } catch (error) {
        return {
          kind: 'failed',
          fault: { code: 'crashed', what: error instanceof Error ? error.message : String(error) },
        };
      }
    },
    stop: async (why) => {
      stopped ??= why;
      for (const end of [...stopping]) end();
    },
  };
};

type Fate = 'works' | 'fails' | 'isBlocked' | 'crashes' | 'endsWithoutResult' | 'quota' | 'nonsense';

const fateOf = (die: number, odds: Odds): Fate => {
  let sum = 0;
  for (const fate of ['fails', 'isBlocked', 'crashes', 'endsWithoutResult', 'quota', 'nonsense'] as const) {
    sum += odds[fate];
    if (die < sum) return fate;
  }
  return 'works';
};

const endOfFate = (fate: Fate, now: number): TurnResult | null => {
  if (fate === 'endsWithoutResult') return { kind: 'no-result', raw: 'I think I am done.' };
  if (fate === 'quota')
    return {
      kind: 'failed',
      fault: { code: 'quota', what: 'the quota is used up' },
      quotaUntil: now + 60_000,
    };
  if (fate === 'nonsense') return { kind: 'answered', answer: nonsense[now % nonsense.length] };
  return null;
};

const nonsense: readonly unknown[] = [
  null,
  42,
  'All done, boss!',
  {},
  { status: 'perhaps' },
  { verdict: 'LGTM' },
  [{ status: 'completed' }],
];

const escalated = (kind: string, escalation: string, steers: Progress['steers']): unknown =>
  kind === 'review'
    ? { verdict: 'Failed', escalation, steers }
    : { status: 'blocked', blockers: [`STEER scope change: ${escalation}`], escalation, steers };

const hash = (text: string): number => {
  let value = 2_166_136_261;
  for (const pendingSignal of text)
    value = Math.imul(value ^ (pendingSignal.codePointAt(0) ?? 0), 16_777_619);
  return value >>> 0;
};
