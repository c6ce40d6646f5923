import type { Outcome } from '../../src/agents/outcome.ts';
import type { Brief } from '../../src/agents/port.ts';
import type { ChangesStep } from '../../src/pipeline/changes/changes-state.ts';
import { checkpointBefore } from '../../src/pipeline/checkpoint-before.ts';
import { decide } from '../../src/pipeline/decide.ts';
import type { Effect } from '../../src/pipeline/effect.ts';
import type { Event, EventBody, EventOf, EventType } from '../../src/pipeline/event.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import type { TurnObservation } from '../../src/pipeline/modes/loop/turn-record.ts';
import { next } from '../../src/pipeline/next.ts';
import type { Earlier } from '../../src/pipeline/scheduling/task-times.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { defaultSettings, type Settings } from '../../src/session/settings.ts';
import type { CheckpointId } from '../../src/signals/checkpoints.ts';
import { bareTask, type TaskDefinition } from '../../src/tasks/task.ts';

/** What a scripted agent answers: facts in order, the last ends the invocation; `null`: it works on until the test says more. */
export type Script = (brief: Brief, run: PipelineRun) => readonly EventBody[] | null;

export interface PipelineRunOptions {
  readonly tasks?: readonly TaskDefinition[];
  readonly settings?: (defaults: Settings) => Settings;
  readonly attended?: boolean;
  /** Answers of the agents; what it leaves (`undefined`) `succeed` answers. */
  readonly script?: (brief: Brief, run: PipelineRun) => readonly EventBody[] | null | undefined;
  /** The orchestrator's look into the mailbox. */
  readonly poll?: (checkpoint: CheckpointId, run: PipelineRun) => void;
  /** Sees every event with the state before and after it. */
  readonly observe?: (before: SessionState | null, event: Event, after: SessionState) => void;
  /** Runs a loop instead of waves. */
  readonly loop?: { readonly focus?: string };
  /** What the engine sees after a turn; the rest is a turn that changed something and said something new. */
  readonly look?: (turn: number, run: PipelineRun) => Partial<TurnObservation>;
  /** What git says of a step; what it leaves (`undefined`) goes well. */
  readonly git?: (step: ChangesStep, run: PipelineRun) => EventBody | undefined;
  /** A journal to continue: the first start is a resume. */
  readonly journal?: readonly Event[];
  /** Directories that a start after COMPLETE finds. */
  readonly feedback?: readonly string[];
  /** Milliseconds from one event to the next; by default 10. */
  readonly tickMs?: number;
  /** What earlier sessions say about the times of tasks. */
  readonly earlier?: Earlier;
}

/**
 * The pure machine in a loop of a few lines, instead of the engine: commit, decide, ask `next` to rest, collect effects. Agents are scripts, time moves
 * 10 ms an event and by `elapse`; stops and timers behave as the engine's do.
 */
export interface PipelineRun {
  readonly state: () => SessionState;
  readonly events: readonly Event[];
  readonly effects: readonly Effect[];
  /** Invocations whose agent has not answered yet, oldest first. */
  readonly open: ReadonlyMap<string, Brief>;
  readonly timers: ReadonlyMap<string, number>;
  commit(...bodies: EventBody[]): void;
  /** Commits and follows up to rest, as the engine does with everything that comes from outside. */
  tell(...bodies: EventBody[]): void;
  /** Lets the agent of one invocation answer; by default the oldest. */
  answer(invocation?: string): boolean;
  /** Lets agents answer until all are silent or the session has stopped. */
  work(): PipelineRun;
  /** Moves the time. */
  pass(ms: number): void;
  /** Moves the time to the earliest timer and fires it. */
  elapse(): string | null;
  /** `work` and `elapse` until nothing happens any more. */
  finish(): PipelineRun;
  start(options?: { readonly attended?: boolean }): PipelineRun;
  /**
   * The program is gone: the last `lost` lines of the journal with it, the state is folded anew, what ran is recorded as crashed, and
   * the session goes on.
   */
  crash(lost?: number): PipelineRun;
  quit(): void;
  of<T extends EventType>(type: T): readonly EventOf<T>[];
  /** `state.entered` in order, without the first state. */
  path(): readonly string[];
  end(): EventOf<'session.stopped'> | undefined;
}

export const createPipelineRun = (options: PipelineRunOptions = {}): PipelineRun => {
  const events: Event[] = [...(options.journal ?? [])];
  let state: SessionState | null = events.length === 0 ? null : evolveAll(null, events);
  let now = state === null ? Date.UTC(2026, 1, 15, 3, 15, 0) : Date.parse(state.at);
  const effects: Effect[] = [];
  const open = new Map<string, Brief>();
  const timers = new Map<string, number>();
  let queue: Effect[] = [];

  const current = (): SessionState => {
    if (!state) throw new Error('not created');
    return state;
  };

  const commit = (...bodies: EventBody[]): void => {
    for (const body of bodies) {
      now += options.tickMs ?? 10;
      const event: Event = { ...body, seq: events.length + 1, at: new Date(now).toISOString() };
      events.push(event);
      if (answersOf.has(event.type) && 'invocation' in event) open.delete(event.invocation ?? '');
      const decision = decide(state, event);
      options.observe?.(state, event, decision.state);
      state = decision.state;
      queue.push(...decision.effects);
    }
  };

  const advance = (): void => {
    let polled: CheckpointId | null = null;
    for (let step = 0; ; step += 1) {
      if (step > 10_000) throw new Error(`does not come to rest: ${JSON.stringify(next(current()))}`);
      const body = next(current());
      if (!body) return;
      const checkpoint = checkpointBefore(current(), body);
      if (checkpoint !== null && checkpoint !== polled) {
        polled = checkpoint;
        options.poll?.(checkpoint, run);
        continue;
      }
      polled = null;
      commit(body);
    }
  };

  const perform = (effect: Effect): void => {
    effects.push(effect);
    switch (effect.type) {
      case 'invoke-agent':
        open.set(effect.brief.invocation, effect.brief);
        break;
      case 'stop-invocation':
        stop(effect.invocation, effect.reason);
        break;
      case 'stop-everything':
        for (const invocation of [...open.keys()]) stop(invocation, effect.reason);
        commit({ type: 'processes.stopped', reason: effect.reason, stopped: [], unverified: [] });
        break;
      case 'arm-timer':
        timers.set(effect.timer, effect.at_ms);
        break;
      case 'disarm-timer':
        timers.delete(effect.timer);
        break;
      case 'look-for-feedback':
        commit({
          type: 'feedback.found',
          iteration: effect.iteration,
          directories: [...(options.feedback ?? [])],
        });
        break;
      case 'observe-turn':
        commit({
          type: 'turn.observed',
          turn: effect.turn,
          fingerprint: `f${effect.turn}`,
          changed: 1,
          head: [...`${effect.turn}`].map((digit) => names[Number(digit)]).join(' '),
          promise: false,
          summary: `did ${effect.turn}`,
          focus: null,
          ...options.look?.(effect.turn, run),
        });
        break;
      case 'take-changes-step':
        if (current().changes.session === null)
          commit({ type: 'changes.opened', branch: 'ralph/s', base: 'c0', directory: '/trees/s' });
        commit(options.git?.(effect.step, run) ?? wentWell(effect.step));
        break;
      case 'stop-session':
        open.clear();
        timers.clear();
        break;
      default:
    }
  };

  const stop = (invocation: string, reason: 'cancel' | 'timeout' | 'stall' | 'retry' | 'abort' | 'quit') => {
    if (!open.has(invocation)) return;
    if (reason === 'timeout' || reason === 'stall') {
      commit({
        type: 'invocation.failed',
        invocation,
        kind: reason,
        fault: { code: reason, what: `stopped: ${reason}` },
      });
    } else commit({ type: 'invocation.interrupted', invocation, reason });
  };

  const settle = (): void => {
    do {
      advance();
      const batch = queue;
      queue = [];
      batch.forEach(perform);
    } while (queue.length > 0 || next(current()) !== null);
  };

  const tell = (...bodies: EventBody[]): void => {
    commit(...bodies);
    settle();
  };

  const answer = (invocation?: string): boolean => {
    for (const [id, brief] of open) {
      if (invocation !== undefined && id !== invocation) continue;
      const scripted = options.script?.(brief, run);
      const facts = scripted === undefined ? succeed(brief, run) : scripted;
      if (!facts) continue;
      tell(...facts);
      return true;
    }
    return false;
  };

  const work = (): PipelineRun => {
    for (let steps = 0; answer(); steps += 1) if (steps > 20_000) throw new Error('agents never end');
    return run;
  };

  const elapse = (): string | null => {
    const first = [...timers].sort((a, b) => a[1] - b[1])[0];
    if (!first) return null;
    const [timer, at] = first;
    timers.delete(timer);
    now = Math.max(now, at);
    tell({ type: 'timer.fired', timer });
    return timer;
  };

  const finish = (): PipelineRun => {
    for (let steps = 0; ; steps += 1) {
      if (steps > 5_000) throw new Error('never ends');
      work();
      if (!current().running || elapse() === null) return run;
    }
  };

  const start: PipelineRun['start'] = ({ attended = options.attended ?? false } = {}) => {
    const asking = {
      ...defaultSettings,
      knowledge: {
        ...defaultSettings.knowledge,
        gate: 'always' as const,
        approval_timeout: options.attended === true ? null : 0,
      },
    };
    const settings = options.settings?.(asking) ?? asking;
    const fresh = state === null;
    if (fresh)
      commit({
        type: 'session.created',
        session_id: '260215-101500',
        workspace: '/work',
        goal: 'Ship it',
        source: 'plan',
        settings,
        ...(options.loop ? { mode: 'loop' as const, ...options.loop } : {}),
      });
    commit({
      type: 'session.started',
      reason: fresh ? 'run' : 'resume',
      pid: 1,
      epoch: events.length,
      program: 'test',
      settings,
      attended,
      ...(options.earlier === undefined ? {} : { earlier: options.earlier }),
    });
    for (const invocation of current().invocations.values())
      if (invocation.stage === 'running')
        commit({ type: 'invocation.interrupted', invocation: invocation.id, reason: 'crash' });
    settle();
    return run;
  };

  const run: PipelineRun = {
    state: current,
    events,
    effects,
    open,
    timers,
    commit,
    tell,
    answer,
    work,
    pass: (ms) => {
      now += ms;
    },
    elapse,
    finish,
    start,
    crash: (lost = 0) => {
      events.length = Math.max(2, events.length - lost);
      queue = [];
      open.clear();
      timers.clear();
      now += 60_000;
      state = evolveAll(null, events);
      return start();
    },
    quit: () => {
      for (const invocation of [...open.keys()]) stop(invocation, 'quit');
      commit({
        type: 'session.stopped',
        session_id: current().session,
        status: 'paused',
        reason: 'quit',
        exit_code: 4,
      });
      queue = [];
      open.clear();
      timers.clear();
    },
    of: <T extends EventType>(type: T) => events.filter((event): event is EventOf<T> => event.type === type),
    path: () => run.of('state.entered').map((event) => event.state),
    end: () => run.of('session.stopped').at(-1),
  };

  /** An agent that does everything right the first time. */
  const succeed = (brief: Brief, _run: PipelineRun): readonly EventBody[] => [
    ...(brief.mode === 'IMPLEMENT' ? [startedTask(brief)] : []),
    ended(
      brief,
      goodOutcome(brief),
      brief.mode === 'TASK_BREAKDOWN' ? [...(options.tasks ?? [])] : undefined,
    ),
  ];

  return run;
};

const wentWell = (step: ChangesStep): EventBody => {
  if (step.kind === 'finish') return { type: 'changes.finished', how: step.how, branch: 'ralph/s' };
  if (step.kind === 'tear-down') return { type: 'teardown.ended' };
  const { task } = step;
  if (step.kind === 'turn')
    return step.way === 'undo'
      ? { type: 'changes.undone', task, attempts: [`${task}/1`], files: ['a.ts'], patch: '/patches/a.patch' }
      : { type: 'changes.redone', task, attempts: [`${task}/1`], files: ['a.ts'] };
  const { attempt } = step;
  return step.kind === 'merge'
    ? {
        type: 'attempt.merged',
        task,
        attempt,
        before: 'c0',
        commit: `merge-${task}-${attempt}`,
        files: ['a.ts'],
      }
    : { type: step.kind === 'land' ? 'merge.landed' : 'merge.taken-back', task, attempt };
};

/** Words that differ: digits are folded where outputs are compared. */
const names = ['null', 'eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun'];

/** What an agent's work comes to. */
const answersOf: ReadonlySet<EventType> = new Set<EventType>([
  'invocation.ended',
  'invocation.failed',
  'invocation.paused',
  'invocation.interrupted',
]);

/** `task.started`, the Executor's step 2. */
export const startedTask = (brief: Brief): EventBody => ({
  type: 'task.started',
  task: brief.task?.id ?? '',
  attempt: brief.attempt ?? 1,
  invocation: brief.invocation,
  owner: 'script',
});

/** The end of an invocation with this outcome. */
export const ended = (
  brief: Brief,
  outcome: Outcome,
  tasks?: TaskDefinition[],
  escalation?: string,
): EventBody => ({
  type: 'invocation.ended',
  invocation: brief.invocation,
  outcome,
  ...(tasks ? { tasks } : {}),
  ...(escalation === undefined ? {} : { escalation }),
});

/** The call of an agent failed in one of the ways the engine knows. */
export const failedCall = (
  brief: Brief,
  kind: EventOf<'invocation.failed'>['kind'] = 'call',
  until?: number,
): EventBody => ({
  type: 'invocation.failed',
  invocation: brief.invocation,
  kind,
  fault: { code: kind, what: `the ${kind} went wrong` },
  ...(until === undefined ? {} : { until }),
});

/** The outcome of a role that did everything right. */
export const goodOutcome = (brief: Brief): Outcome => {
  const base = { status: 'completed', blockers: [] } as const;
  const { mode, cycle, iteration } = brief;
  switch (brief.role) {
    case 'Planner':
      return {
        role: 'Planner',
        ...base,
        mode,
        iteration,
        artifacts_created: [],
        artifacts_updated: [],
        tasks_defined: 0,
        waves_planned: 0,
        next_action: '',
      };
    case 'Questioner':
      return {
        role: 'Questioner',
        ...base,
        mode,
        cycle,
        category: 'technical',
        questions_generated: 0,
        questions_answered: 0,
        files_updated: [],
        critical_findings: [],
      };
    case 'Executor':
      return {
        role: 'Executor',
        ...base,
        task_id: brief.task?.id ?? '',
        iteration,
        attempt_number: brief.attempt ?? 1,
        report_path: '',
        success_criteria_met: true,
        criteria_breakdown: { total: 0, met: 0, not_met: 0 },
        files_modified: [],
        feedback_addressed: [],
        discovered_tasks: [],
      };
    case 'Reviewer':
      return {
        role: 'Reviewer',
        ...base,
        mode: mode === 'SESSION_REVIEW' ? 'SESSION_REVIEW' : 'TASK_REVIEW',
        ...(mode === 'SESSION_REVIEW'
          ? { assessment: 'good', goals_achieved: true }
          : { verdict: 'Qualified' as const }),
        criteria_results: {},
        feedback: '',
        commit_status: 'skipped',
        gaps: [],
        next_action: '',
      };
    case 'Librarian':
      return {
        role: 'Librarian',
        ...base,
        mode: mode === 'PROMOTE' ? 'PROMOTE' : 'STAGE',
        staged: mode === 'STAGE' ? ['how-to/build.md'] : [],
        dropped: [],
        carried: [],
        promoted: mode === 'PROMOTE' ? [...(brief.promote ?? ['how-to/build.md'])] : [],
      };
  }
};

/** An Executor that says it failed. */
export const failedOutcome = (brief: Brief, status: 'failed' | 'blocked' = 'failed'): Outcome => ({
  ...goodOutcome(brief),
  status,
  blockers: [`it ${status}`],
});

/** A Reviewer that does not qualify. */
export const failedReview = (brief: Brief, feedback = 'not good enough'): Outcome => {
  const outcome = goodOutcome(brief);
  return outcome.role === 'Reviewer' ? { ...outcome, verdict: 'Failed', feedback } : outcome;
};

/** A task definition with everything filled in; each declares a file of its own. */
export const defineTask = (id: string, fields: Partial<TaskDefinition> = {}): TaskDefinition => ({
  ...bareTask(id, 1),
  files: [`src/${id}.ts`],
  ...fields,
});
