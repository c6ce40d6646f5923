import { FaultError } from '../../src/base/fault.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { isComplete } from '../../src/session/status.ts';
import type { Mailbox } from '../../src/signals/mailbox.ts';
import { forger, type SimulatedSession } from '../helpers/engine-session.ts';
import type { SeededRandom } from '../helpers/seeded-random.ts';
import { dropScrap, type Scrap } from './any-scrap.ts';
import { anySignal, anyTurn } from './any-signal.ts';
import type { Coverage } from './coverage.ts';
import type { Sent } from './guards/guard.ts';

/** What people put into the mailbox of one session, and what they were told became of it. */
export interface Post {
  readonly sent: ReadonlyMap<string, Sent>;
  readonly scraps: readonly Scrap[];
  any(random: SeededRandom, state: SessionState): void;
  /** Work of a task is taken back, or brought again. */
  turn(random: SeededRandom, state: SessionState): void;
  scrap(random: SeededRandom): void;
  withdraw(random: SeededRandom, state: SessionState): void;
  /** What makes a session go on that waits for a person. */
  help(random: SeededRandom, state: SessionState): void;
  /** Another iteration is asked for, or a task again. */
  goOn(random: SeededRandom, state: SessionState): void;
}

export const createPost = (session: SimulatedSession, coverage: Coverage): Post => {
  const sent = new Map<string, Sent>();
  let drawn = 0;
  const scraps: Scrap[] = [];

  const publish = (signal: ReturnType<typeof anySignal>, state: SessionState): void => {
    // Some come from a program that nobody proves to be a person.
    drawn += 1;
    const forged = drawn % 5 === 0;
    const from = forged ? { from: forger } : {};
    const published = session.mailbox().publish({ target: 'ALL', ...signal, ...from });
    if ('code' in published) {
      coverage.count(`publication refused: ${published.code}`);
      return;
    }
    const { id, file } = published;
    sent.set(id, {
      type: signal.type,
      file,
      iteration: signal.iteration ?? null,
      // A loop may have ended since it was last seen, before its program died.
      afterEnd: isComplete(state) || (state.mode === 'loop' && isComplete(recorded(session))),
      withdrawn: false,
      withdrawnAfter: null,
      forged,
    });
    coverage.count(`sent ${signal.type}${signal.target && signal.target !== 'ALL' ? ' to one agent' : ''}`);
    if (signal.target) coverage.count(`target ${signal.target}`);
  };

  const help = (random: SeededRandom, state: SessionState): void => {
    const { hold, gate, questions } = state;
    if (hold) publish({ type: 'RESUME' }, state);
    else if (gate?.gate === 'plan') publish({ type: 'ANSWER', request: 'plan', option: 'approve' }, state);
    else if (gate) publish({ type: random.pick(['APPROVE', 'SKIP'] as const) }, state);
    else
      for (const { request, kind, answer, options } of questions.values())
        if (answer === null) {
          const option = random.pick(kind === 'no-result' ? ['retry', 'stop'] : options.map(({ id }) => id));
          const words = options.find(({ id }) => id === option)?.words;
          const message = words === 'must' ? { message: `not so, ${random.hex(4)}` } : {};
          publish({ type: 'ANSWER', request, option, ...message }, state);
        }
  };

  return {
    sent,
    scraps,
    any: (random, state) => publish(anySignal(random, state), state),
    turn: (random, state) => publish(anyTurn(random, state), state),
    scrap: (random) => {
      const scrap = dropScrap(random, session.disk, `${session.paths.signals}/inputs`);
      scraps.push(scrap);
      coverage.count(`scrap ${scrap.kind}`);
    },
    withdraw: (random, state) => {
      const box = session.mailbox();
      const waiting = box.list().filter(({ stage, id }) => stage === 'pending' && sent.has(id));
      if (waiting.length === 0) return;
      const { id } = random.pick(waiting);
      const known = sent.get(id);
      const kind = withdrawOrFault(box, id);
      if (known && kind === 'withdrawn')
        sent.set(id, {
          ...known,
          withdrawn: true,
          withdrawnAfter: state.running ? null : startsOf(session),
        });
      coverage.count(`withdrawal ${kind}`);
    },
    help,
    goOn: (random, state) => {
      const tasks = [...state.tasks.keys()];
      // A loop has no iterations: a RETRY alone opens it again.
      if (state.mode === 'flow' && tasks.length === 0) return;
      if (state.mode !== 'waves' || (tasks.length > 0 && random.chance(0.4))) {
        publish({ type: 'RETRY', task: random.pick(tasks), message: 'try again' }, state);
        coverage.count('asked for a task again after the end');
        return;
      }
      const iteration = state.iteration + 1;
      const directory = `${session.paths.iteration(iteration).feedbacks}/20260215-120000`;
      session.disk.mkdir(directory);
      session.disk.put(`${directory}/feedbacks.md`, feedbackOf(iteration, tasks[0] ?? 'none'));
      coverage.count('feedback for another iteration');
    },
  };
};

/** How often the session was started so far. */
export const startsOf = ({ events }: SimulatedSession): number =>
  events.filter(({ type }) => type === 'session.started').length;

/** The session as its journal has it. */
const recorded = ({ disk, paths }: SimulatedSession): SessionState | null =>
  evolveAll(null, readJournal(disk, paths.journal).events);

/** A full disk is said to whoever takes a signal back; it stands as before then. */
const withdrawOrFault = (box: Mailbox, id: string): string => {
  try {
    return box.withdraw(id, 'someone').kind;
  } catch (error) {
    if (error instanceof FaultError) return error.fault.code;
    throw error;
  }
};

const feedbackOf = (iteration: number, task: string): string =>
  `---\niteration: ${iteration}\n---\n# Feedback\n## Critical Issues\n- [ ] **ISS-001**: The task \`${task}\` is wrong\n  - Evidence: ${task}.txt\n`;
