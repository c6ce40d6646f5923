import { expect } from 'vitest';
import type { Brief, Directive, Message, RolePort, TurnAsk, TurnResult } from '../../src/agents/port.ts';
import type { RoleFact } from '../../src/agents/role-fact.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import type { CheckpointId } from '../../src/signals/checkpoints.ts';
import type { SteerVerdict } from '../../src/signals/signal.ts';
import { bareTask, type TaskDefinition } from '../../src/tasks/task.ts';

/** What a procedure is expected to do next, and what it gets for it. */
export type Step = { readonly checkpoint: CheckpointId; readonly gives: Directive } | TurnStep;

export interface TurnStep {
  readonly turn: string;
  readonly boundary: CheckpointId | null;
  readonly gives: TurnResult;
}

export interface ScriptedPort extends RolePort {
  readonly facts: readonly RoleFact[];
  readonly asks: readonly TurnAsk[];
  /** Fails when the procedure left steps undone. */
  expectDone(): void;
}

/** A port that plays a script and fails at the first call that is not the next step of it. */
export const rolePort = (brief: Brief, steps: readonly Step[]): ScriptedPort => {
  const left = [...steps];
  const facts: RoleFact[] = [];
  const asks: TurnAsk[] = [];
  return {
    brief,
    facts,
    asks,
    checkpoint: async (id) => {
      const step = left.shift();
      if (!step || !('checkpoint' in step) || step.checkpoint !== id) {
        throw new Error(`checkpoint ${id}, but the script says ${JSON.stringify(step)}`);
      }
      return step.gives;
    },
    turn: async (ask, boundary) => {
      const step = left.shift();
      if (!step || !('turn' in step) || step.turn !== ask.kind || step.boundary !== boundary) {
        throw new Error(`turn ${ask.kind} (${boundary}), but the script says ${JSON.stringify(step)}`);
      }
      asks.push(ask);
      return step.gives;
    },
    emit: (fact) => {
      facts.push(fact);
    },
    expectDone: () => expect(left).toEqual([]),
  };
};

export const at = (checkpoint: CheckpointId, gives: Directive = go()): Step => ({ checkpoint, gives });
export const turn = (kind: string, boundary: CheckpointId | null, answer: unknown): TurnStep => ({
  turn: kind,
  boundary,
  gives: { kind: 'answered', answer },
});
export const go = (...messages: readonly Message[]): Directive => ({ kind: 'go', messages });
export const pause: Directive = { kind: 'pause' };
export const abort: Directive = { kind: 'abort' };
export const cancel: Directive = { kind: 'cancel', reason: 'Cancelled by kim' };

export const steer = (text: string, apply?: SteerVerdict): Message => ({
  id: `signal of ${text}`,
  kind: 'STEER',
  text,
  ...(apply ? { apply } : {}),
});
export const info = (text: string): Message => ({ id: `signal of ${text}`, kind: 'INFO', text });

/** A task with what a test says about it. */
export const taskOf = (some: Partial<TaskDefinition> = {}): TaskDefinition => ({
  ...bareTask('task-1', 1),
  title: 'Write the greeting',
  objective: 'A greeting in two languages.',
  ...some,
});

export const briefOf = (some: Partial<Brief> = {}): Brief => ({
  invocation: 'Executor-1',
  role: 'Executor',
  mode: 'IMPLEMENT',
  session: '260215-101500',
  iteration: 1,
  cycle: 0,
  goal: 'Ship the greeting service',
  at: '2026-02-15T03:15:00.000Z',
  workspace: '/work/space',
  sessionDirectory: '/work/space/.ralph-sessions/260215-101500',
  tasks: [],
  messages: [],
  settings: defaultSettings,
  ...some,
});

/** A Reviewer before the first attempt of a task. */
export const reviewBriefOf = (task: Partial<TaskDefinition>, some: Partial<Brief> = {}): Brief =>
  briefOf({
    role: 'Reviewer',
    mode: 'TASK_REVIEW',
    invocation: 'Reviewer-1',
    task: taskOf(task),
    attempt: 1,
    ...some,
  });
