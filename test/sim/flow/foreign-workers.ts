import type { ForeignWorks } from '../../../src/agents/backends/foreign/create-foreign-backend.ts';
import type { ForeignWork } from '../../../src/agents/backends/foreign/foreign-worker.ts';
import { turnKind } from '../../../src/agents/replies/flow-shapes.ts';
import type { Clock } from '../../../src/base/clock.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { flowTaskOf } from '../../../src/issues/task-list/stored-task.ts';
import type { FlowRole } from '../../../src/issues/task-list/task-phase.ts';
import { messageKinds } from '../../../src/issues/team/message-policy.ts';
import { createWorkerLine, type WorkerLine } from '../../../src/mcp/workers/answer-worker.ts';
import { helloAnswerSchema } from '../../../src/mcp/workers/wire.ts';
import type { SeededRandom } from '../../helpers/seeded-random.ts';
import { SimulatedCrash } from '../../helpers/simulated-disk.ts';
import type { SimulatedSpawn } from '../../helpers/simulated-spawn.ts';
import type { createPhases } from './phases.ts';

/** Workers of other programs, as they are around one team: they join, claim, work, hand in, fall silent, die, and come back. */
export interface ForeignWorkers {
  /** This engine runs the session from now on. */
  meet(engine: Engine): void;
  /** It is gone, and every connection with it. */
  part(): void;
  /** Time passes. Returns what they did. `calm`: nothing goes wrong any more. */
  look(random: SeededRandom, calm: boolean): readonly string[];
  /** Names of workers whose process ended before this moment (ms), on the machine that is there now. */
  deadBefore(moment: number): readonly string[];
}

export interface ForeignPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly spawn: () => SimulatedSpawn;
  /** Where the engine that was launched last puts their work, and its own clock. */
  readonly works: () => { readonly works: ForeignWorks; readonly clock: Clock } | null;
  readonly phases: ReturnType<typeof createPhases>;
  /** How many at once. */
  readonly most: number;
  readonly say: (problem: string) => void;
}

interface Other {
  readonly role: FlowRole;
  readonly process: ReturnType<SimulatedSpawn['beside']>;
  me: { readonly worker: string; readonly key: string } | null;
  connection: { readonly line: WorkerLine; readonly hungUp: AbortController } | null;
  /** A call that is not answered yet. */
  isWaiting: boolean;
  /** When it hands in what it works on (ms). */
  readyAt: number;
  diedAt: number | null;
}

const roles: readonly FlowRole[] = ['analyst', 'analyst', 'builder', 'builder', 'validator', 'integrator'];
const token = 'a token of the host';

export const createForeignWorkers = (ports: ForeignPorts): ForeignWorkers => {
  const others: Other[] = [];
  let engine: Engine | null = null;

  const living = (): readonly Other[] => others.filter(({ diedAt }) => diedAt === null);

  const connect = (other: Other, host: Engine): void => {
    const at = ports.works();
    if (at === null) return;
    const { works, clock } = at;
    const line = createWorkerLine({
      ...{ works, clock, token },
      door: host.workers,
      watch: (changed) => host.subscribe(changed),
      random: { hex: (length) => `${others.indexOf(other)}`.padStart(length, 'a') },
    });
    other.connection = { line, hungUp: new AbortController() };
    const hello = { token, role: other.role, program: 'other', process: other.process.identity };
    call(other, 'hello', other.me === null ? hello : { ...hello, back: other.me }, (answer) => {
      other.me = helloAnswerSchema.parse(answer);
    });
  };

  /** One call at a time. Its answer counts while the connection is the same. */
  const call = (
    other: Other,
    name: string,
    input: unknown,
    then: (answer: unknown) => void = () => {},
  ): void => {
    const { connection } = other;
    if (connection === null) return;
    other.isWaiting = true;
    const over = (work: () => void): void => {
      if (other.connection !== connection) return;
      other.isWaiting = false;
      work();
    };
    connection.line.answer(name, input, connection.hungUp.signal).then(
      (answer) => over(() => then(answer)),
      (error: unknown) =>
        over(() => {
          if (error instanceof SimulatedCrash) return;
          if (error instanceof TypeError || error instanceof RangeError)
            ports.say(`a worker's ${name} threw ${error.stack}`);
        }),
    );
  };

  const hangUp = (other: Other): void => {
    const { connection } = other;
    other.connection = null;
    other.isWaiting = false;
    connection?.hungUp.abort();
    try {
      connection?.line.lost();
    } catch (error) {
      if (!(error instanceof SimulatedCrash)) throw error;
    }
  };

  const die = (other: Other, how: 'kill' | 'reuse'): void => {
    other.diedAt = ports.clock.now();
    other.process[how]();
    hangUp(other);
  };

  /** Hands in what its phase asks for, or now and then what it does not. */
  const handIn = (other: Other, work: ForeignWork, random: SeededRandom, calm: boolean): string => {
    const task = work.brief.task;
    const listed = task ? flowTaskOf(task) : null;
    const { result, ...rest } = ports.phases(turnKind(listed?.phase), work.brief, random);
    const fate = calm ? 1 : random.next();
    const good = { status: 'completed', summary: [], files_modified: [], criteria: [], ...rest };
    const outcome =
      fate < 0.06
        ? { status: 'completed?' }
        : fate < 0.12
          ? { status: random.pick(['failed', 'blocked']), summary: [], blockers: ['it went wrong'] }
          : { ...good, ...(typeof result === 'object' ? result : {}) };
    const input = { status: 'completed', outcome };
    call(other, 'tool', { name: 'task_update', input }, () => call(other, 'boundary', {}));
    return 'hands in';
  };

  const work = (other: Other, host: Engine, random: SeededRandom, calm: boolean): string | null => {
    const inHand = other.me === null ? null : (ports.works()?.works.workOf(other.me.worker) ?? null);
    if (inHand === null) {
      const tasks = [...host.state().tasks.keys()];
      const named = tasks.length > 0 && random.chance(0.2) ? { task: random.pick(tasks) } : {};
      call(other, 'claim', named, () => {
        other.readyAt = ports.clock.now() + random.int(10_000);
      });
      return 'claims';
    }
    if (!calm && random.chance(0.03)) {
      call(other, 'release', { reason: 'it is not mine' });
      return 'releases';
    }
    if (calm || ports.clock.now() >= other.readyAt) return handIn(other, inHand, random, calm);
    if (random.chance(0.3)) call(other, 'boundary', {});
    return null;
  };

  const write = (other: Other, random: SeededRandom): string => {
    const to = random.pick([null, 'all', 'builder-1', ...living().flatMap(({ me }) => me?.worker ?? [])]);
    // An escalation is a question, and the call waits for its answer.
    const kind = to === null && random.chance(0.5) ? 'escalation' : random.pick(messageKinds.slice(1));
    call(other, 'message', { kind, to, text: 'Where is it?' });
    return 'sends a message';
  };

  const act = (other: Other, host: Engine, random: SeededRandom, calm: boolean): string | null => {
    if (!calm && random.chance(0.006)) {
      die(other, random.pick(['kill', 'kill', 'reuse']));
      return 'is killed';
    }
    if (other.connection === null) {
      if (!calm && random.chance(0.5)) return null;
      connect(other, host);
      return other.me === null ? 'joins' : 'returns';
    }
    if (!calm && random.chance(0.02)) {
      hangUp(other);
      return 'hangs up';
    }
    if (other.isWaiting || other.me === null) return null;
    if (!calm && random.chance(0.02)) return write(other, random);
    return work(other, host, random, calm);
  };

  return {
    meet: (host) => {
      engine = host;
    },
    part: () => {
      engine = null;
      // A program that is gone answers nothing, and hears of no connection that breaks.
      for (const other of others) {
        other.connection = null;
        other.isWaiting = false;
      }
    },
    look: (random, calm) => {
      const host = engine;
      if (host === null || !host.state().running) return [];
      if (!calm && living().length < ports.most && random.chance(0.4))
        others.push({
          role: random.pick(roles),
          process: ports.spawn().beside(),
          ...{ me: null, connection: null, isWaiting: false, readyAt: 0, diedAt: null },
        });
      return living().flatMap((other) => act(other, host, random, calm) ?? []);
    },
    deadBefore: (moment) =>
      others.flatMap(({ me, diedAt, process }) =>
        me !== null && diedAt !== null && diedAt < moment && process.identity.boot === ports.spawn().self.boot
          ? [me.worker]
          : [],
      ),
  };
};
