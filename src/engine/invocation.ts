import type {
  Brief,
  Directive,
  InvocationId,
  RoleEnd,
  RoleFact,
  RolePort,
  TurnResult,
  Worker,
} from '../agents/port.ts';
import { procedures } from '../agents/roles/index.ts';
import { diskCode } from '../base/disk.ts';
import { type Fault, toFault } from '../base/fault.ts';
import type { Redact } from '../base/redact.ts';
import type { StopReport } from '../base/spawn.ts';
import type { EventBody } from '../pipeline/event.ts';
import type { Consumer } from '../signals/mailbox.ts';
import type { Active } from './active.ts';
import { withoutSecrets, writeArtifactsAside } from './artifacts.ts';
import type { Checkpoints } from './checkpoint.ts';
import { createCommitTurns } from './commit-turns.ts';
import type { Core } from './core.ts';
import type { Deliveries } from './deliveries.ts';
import { type CommandLog, endOf, factBody, type StopReason, stopBody } from './invocation-facts.ts';
import { type AttemptLog, createAttemptLog } from './logs.ts';
import { watchSilence } from './silence.ts';
import { createStopping } from './stopping.ts';

/** Runs role procedures on their backends, each behind its own port (engine.md, Roles), and records how each ends. */
export interface Invocations {
  invoke(brief: Brief, backend: string): void;
  stop(invocation: InvocationId, reason: StopReason): void;
  /** Stops all and verifies; never rejects, and never takes longer than the grace and a little. */
  stopAll(reason: 'abort' | 'quit'): Promise<StopReport>;
}

export interface InvocationPorts {
  readonly core: Core;
  readonly checkpoints: Checkpoints;
  readonly deliveries: Deliveries;
  readonly redact: Redact;
}

interface Written {
  readonly odd: readonly Fault[];
  readonly error: unknown;
}

export const createInvocations = (ports: InvocationPorts): Invocations => {
  const { core, checkpoints, deliveries } = ports;
  const { loop, options } = core;
  const actives = new Map<InvocationId, Active>();
  const commits = createCommitTurns();

  /** Records the end of an invocation, once. */
  const close = (active: Active, body: EventBody): void => {
    active.over = true;
    active.stall?.();
    active.log.close();
    commits.leave(active);
    actives.delete(active.brief.invocation);
    loop.commit(body);
    if (body.type !== 'invocation.paused')
      deliveries.over(active.brief.invocation, body.type === 'invocation.ended' ? 'ended' : 'died');
  };

  const fail = (active: Active, fault: Fault): void =>
    close(active, { type: 'invocation.failed', invocation: active.brief.invocation, kind: 'call', fault });

  /** What was odd, or why nothing came of it. */
  const write = async (active: Active, end: RoleEnd, isMeant: () => boolean): Promise<Written> => {
    if (end.kind === 'no-result') active.log.write(new TextEncoder().encode(`${end.raw}\n`), 'stdout');
    if (end.kind !== 'outcome') return { odd: [], error: null };
    try {
      const artifacts = withoutSecrets(end.artifacts, ports.redact);
      return { odd: await writeArtifactsAside(options, artifacts, isMeant), error: null };
    } catch (error) {
      return { odd: [], error };
    }
  };

  const finish = async (active: Active, end: RoleEnd): Promise<void> => {
    const isMeant = (): boolean => !active.over && loop.isOpen();
    if (!isMeant()) return;
    const { odd, error } = await write(active, end, isMeant);
    if (!isMeant()) return;
    loop.run(() => {
      for (const fault of odd) core.problem(fault);
      if (error === null) return close(active, endOf(active.brief, end, active.stop, active.log.file));
      const fault = toFault(error, active.brief.invocation);
      if (diskCode(error) !== '') core.block(fault);
      fail(active, fault);
    });
  };

  const crash = (active: Active, error: unknown): void => {
    if (active.over || !loop.isOpen()) return;
    const body = active.stop ? stopBody(active.brief, active.stop) : null;
    loop.run(() => (body ? close(active, body) : fail(active, toFault(error, active.brief.invocation))));
  };

  const goesOn = (): boolean => loop.isOpen() && loop.state().running;

  const directive = (active: Active, messages: Extract<Directive, { kind: 'go' }>['messages']): Directive => {
    if (!goesOn() || active.stop === 'abort' || loop.state().abort) return { kind: 'abort' };
    if (active.stop || active.over) return { kind: 'cancel', reason: active.stop ?? 'it was ended' };
    // What was delivered has to arrive: the pause waits for the next boundary.
    if (loop.state().hold && messages.length === 0) return { kind: 'pause' };
    return { kind: 'go', messages };
  };

  const emit = (active: Active, fact: RoleFact): void => {
    if (active.over || !loop.isOpen()) return;
    active.alive = options.clock.monotonic();
    loop.run(() => {
      if (fact.type === 'command.started') active.from = active.log.mark().size;
      const log = fact.type === 'command.ended' ? printed(active) : null;
      loop.commit(factBody(active.brief, fact, backendOf(active), log));
      // The intent stands in the journal before the process exists; a power loss would take both.
      if (fact.type === 'command.started') loop.write();
      if (fact.type === 'steer.decided') deliveries.decided(active.brief.invocation, fact);
    });
  };

  const backendOf = ({ brief }: Active): string =>
    loop.state().invocations.get(brief.invocation)?.backend ?? brief.role;

  const portOf = (active: Active, worker: Worker): RolePort => {
    const { brief } = active;
    const consumer: Consumer = {
      agent: brief.role,
      invocation: brief.invocation,
      task: brief.task?.id ?? null,
    };
    const checkpoint: RolePort['checkpoint'] = async (id) => {
      if (active.over || active.stop || !loop.isOpen()) return directive(active, []);
      active.alive = options.clock.monotonic();
      return directive(
        active,
        loop.run(() => checkpoints.poll(consumer, id, true)),
      );
    };
    return {
      brief,
      checkpoint,
      turn: (ask, boundary) => {
        const work = async (): Promise<TurnResult> => {
          if (!goesOn()) return { kind: 'stopped', why: 'abort' };
          active.alive = options.clock.monotonic();
          return worker.turn(ask, async () =>
            boundary === null ? directive(active, []) : checkpoint(boundary),
          );
        };
        return ask.kind === 'commit' ? commits.take(active, work) : work();
      },
      emit: (fact) => emit(active, fact),
    };
  };

  const start = async (active: Active, backendName: string): Promise<RoleEnd> => {
    if (active.stop) throw new Error('it was stopped before it began');
    const backend = options.backends.find(({ name }) => name === backendName);
    if (!backend)
      return {
        kind: 'failed',
        fault: {
          code: 'no-backend',
          what: `there is no backend "${backendName}"`,
          mend: `choose one of ${options.backends.map(({ name }) => name).join(', ')}`,
        },
      };
    const worker = backend.start(active.brief, {
      emit: (fact) => emit(active, fact),
      output: (bytes, stream) => {
        if (active.over) return;
        active.alive = options.clock.monotonic();
        active.log.write(bytes, stream);
      },
    });
    active.worker = worker;
    return procedures[active.brief.role](portOf(active, worker));
  };

  const openLog = (brief: Brief): AttemptLog => {
    const { invocation, task, attempt } = brief;
    return createAttemptLog({
      disk: options.disk,
      path: task ? options.paths.log(task.id, attempt ?? 1) : options.paths.log(invocation, 1),
      secrets: options.secrets ?? [],
      later: loop.later,
      show: ({ stream, text, byte, skipped }) => {
        const of = task ? { task: task.id, attempt: attempt ?? 1 } : {};
        const place = { ...(byte === null ? {} : { byte }), ...(skipped > 0 ? { skipped } : {}) };
        loop.commit({ type: 'output.written', invocation, ...of, stream, text, ...place });
      },
      broken: (error) => core.block(toFault(error, options.paths.logs)),
    });
  };

  const stopping = createStopping(core, close);

  return {
    invoke: (brief, backend) => {
      const log = openLog(brief);
      const alive = options.clock.monotonic();
      const active: Active = {
        brief,
        log,
        worker: null,
        stop: null,
        ending: null,
        over: false,
        from: 0,
        alive,
        stall: null,
      };
      actives.set(brief.invocation, active);
      watchSilence(core, active, commits.waits);
      Promise.resolve()
        .then(() => start(active, backend))
        .then((end) => {
          active.ending = finish(active, end);
          return active.ending;
        })
        .catch((error: unknown) => crash(active, error))
        .catch(() => {
          // `loop.run` has stopped the session with this error already.
        });
    },
    stop: (invocation, reason) => {
      const active = actives.get(invocation);
      if (active) stopping.one(active, reason);
    },
    stopAll: (reason) => stopping.all([...actives.values()], reason),
  };
};

/** Where in its log the command that ends stands. */
const printed = ({ log, from }: Active): CommandLog => {
  const { size, lines } = log.mark();
  return { file: log.file, from, to: size, lines };
};
