import { describe, expect, test } from 'vitest';
import { implementAnswerSchema, reviewAnswerSchema } from '../../src/agents/answers.ts';
import type { Backend, BackendHost, Brief, Directive, TurnResult } from '../../src/agents/port.ts';
import type { RoleFact } from '../../src/agents/role-fact.ts';
import { abort, cancel, go, info, pause, steer } from '../helpers/role-port.ts';
import { answerOf, bench, type WorkerBench } from '../helpers/worker-bench.ts';

/** What the suite needs to try out a backend. */
export interface BackendTrial {
  readonly backend: Backend;
  /** A brief whose task takes at least two steps and succeeds when left alone. */
  readonly brief: Brief;
  /** Waits for a promise; a backend on a manual clock moves it on. */
  settle<T>(promise: Promise<T>): Promise<T>;
  /** What it makes of a STEER that only adds after its last step. Default: it takes another one. */
  readonly late?: 'not followed';
  /** What the engine lends beside the usual. */
  readonly host?: Partial<BackendHost>;
  /** The facts that begin and end one step. Default: those of a command. */
  readonly step?: readonly [began: RoleFact['type'], ended: RoleFact['type']];
  /** Boundaries of a turn beside those of its steps: the end of a reply is one. Default 0. */
  readonly moreBoundaries?: number;
  /** How often a step of the work was really done so far. */
  stepsDone(at: readonly WorkerBench[]): number;
}

/** What every backend promises (src/agents/port.ts), whatever stands behind it. */
export const backendConformance = (name: string, open: () => BackendTrial): void => {
  describe(`${name} as a backend`, () => {
    const command = ['command.started', 'command.ended'] as const;
    const started = ({ step: [began] = command }: BackendTrial, at: WorkerBench): number =>
      at.facts.filter(({ type }) => type === began).length;
    const begin = (
      { backend, host }: BackendTrial,
      brief: Brief,
      directives?: Parameters<typeof bench>[2],
    ): WorkerBench => bench(backend, brief, directives, host);
    /** It holds until somebody else ends it, however often it is asked about. */
    const always = (directive: Directive): readonly Directive[] =>
      Array.from({ length: 20 }, () => directive);
    const decided = (at: WorkerBench) =>
      at.facts.flatMap((fact) => (fact.type === 'steer.decided' ? [[fact.id, fact.verdict]] : []));
    const run = (
      trial: BackendTrial,
      at: WorkerBench,
      kind = 'implement',
      data?: unknown,
    ): Promise<TurnResult> => trial.settle(at.turn(kind, data));

    test('answers the work by its contract, and passes the boundary after every step', async () => {
      const trial = open();
      const at = begin(trial, trial.brief);
      const done = implementAnswerSchema.parse(answerOf(await run(trial, at)));
      expect(done.status).toBe('completed');
      expect(at.passed()).toBe(started(trial, at) + (trial.moreBoundaries ?? 0));
      expect(at.passed()).toBeGreaterThan(1);
    });

    test('says what it will do before it does it, and how each step ended', async () => {
      const trial = open();
      const at = begin(trial, trial.brief);
      await run(trial, at);
      const [began, ended] = trial.step ?? command;
      const types = at.facts.map(({ type }) => type).filter((type) => type === began || type === ended);
      expect(types.length).toBeGreaterThan(1);
      expect(types).toEqual(types.map((_, index) => (index % 2 === 0 ? began : ended)));
    });

    test('answers the review by its contract', async () => {
      const trial = open();
      await run(trial, begin(trial, trial.brief));
      const brief = { ...trial.brief, role: 'Reviewer', mode: 'TASK_REVIEW' } as const;
      const judged = reviewAnswerSchema.parse(answerOf(await run(trial, begin(trial, brief), 'review')));
      expect(judged.verdict).toBe('Qualified');
    });

    test('pauses at a boundary, and another worker goes on from plain data without repeating a step', async () => {
      const whole = open();
      const alone = begin(whole, whole.brief);
      await run(whole, alone);
      const trial = open();
      const first = begin(trial, trial.brief, always(pause));
      const paused = await run(trial, first);
      if (paused.kind !== 'paused') throw new Error(JSON.stringify(paused));
      const second = begin(trial, trial.brief);
      const continuation: unknown = JSON.parse(JSON.stringify(paused.continuation));
      const done = implementAnswerSchema.parse(
        answerOf(await run(trial, second, 'implement', { continuation })),
      );
      expect(done.status).toBe('completed');
      expect(trial.stepsDone([first, second])).toBe(whole.stepsDone([alone]));
    });

    test.each([
      ['ABORT', abort, 'abort'],
      ['CANCEL', cancel, 'cancel'],
    ] as const)(
      '%s at a boundary ends the turn and no other step begins',
      async (_, directive: Directive, why) => {
        const trial = open();
        const at = begin(trial, trial.brief, always(directive));
        expect(await run(trial, at)).toEqual({ kind: 'stopped', why });
        expect(started(trial, at)).toBe(1);
      },
    );

    test('stop() ends a turn under way; a second one and a turn after it do no harm', async () => {
      const trial = open();
      const at = begin(trial, trial.brief, [
        async () => {
          void at.worker.stop('abort');
          return go();
        },
      ]);
      expect(await run(trial, at)).toEqual({ kind: 'stopped', why: 'abort' });
      await trial.settle(at.worker.stop('cancel'));
      expect(await run(trial, at)).toEqual({ kind: 'stopped', why: 'abort' });
      expect(started(trial, at)).toBe(1);
    });

    test('settles every STEER of a boundary exactly once, and no INFO', async () => {
      const trial = open();
      const messages = [steer('be brief', 'adjust'), info('tabs'), steer('try again', 'restart')];
      const at = begin(trial, trial.brief, [go(...messages)]);
      await run(trial, at);
      expect(decided(at)).toEqual([
        [messages[0]?.id, 'adjust'],
        [messages[2]?.id, 'restart'],
      ]);
    });

    test('settles a STEER that comes after the last step', async () => {
      const whole = open();
      const alone = begin(whole, whole.brief);
      await run(whole, alone);
      const trial = open();
      const message = steer('be brief', 'adjust');
      const at = begin(trial, trial.brief, [
        ...Array.from({ length: alone.passed() - 1 }, () => go()),
        go(message),
      ]);
      await run(trial, at);
      expect(decided(at)).toEqual([[message.id, trial.late ?? 'adjust']]);
    });

    test('settles a STEER that was queued while it paused', async () => {
      const trial = open();
      const paused = await run(trial, begin(trial, trial.brief, always(pause)));
      const message = steer('be brief', 'adjust');
      const at = begin(trial, { ...trial.brief, messages: [message] });
      await run(trial, at, 'implement', {
        continuation: paused.kind === 'paused' ? paused.continuation : null,
      });
      expect(decided(at)).toEqual([[message.id, 'adjust']]);
    });

    test('does not decide about what it was told before it began: that is settled already', async () => {
      const trial = open();
      const at = begin(trial, { ...trial.brief, messages: [steer('be brief')] });
      await run(trial, at);
      expect(decided(at)).toEqual([]);
    });

    test('ends blocked with the message when a STEER redefines the task', async () => {
      const trial = open();
      const at = begin(trial, trial.brief, [go(steer('another thing', 'escalate'))]);
      const done = implementAnswerSchema.parse(answerOf(await run(trial, at)));
      expect(done).toMatchObject({ status: 'blocked', escalation: 'another thing' });
      expect(done.blockers).toEqual(['STEER scope change: another thing']);
      expect(started(trial, at)).toBe(1);
    });

    test('fails a turn it does not know instead of throwing', async () => {
      const trial = open();
      const result = await run(trial, begin(trial, trial.brief), 'no such turn');
      expect(result.kind).toBe('failed');
    });
  });
};
