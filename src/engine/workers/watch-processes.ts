import { ownTask } from '../../issues/team/claim.ts';
import type { TeamMember } from '../../pipeline/modes/flow/flow-state.ts';
import { lostRequestOf } from '../../pipeline/modes/flow/foreign.ts';
import { claimableList, members } from '../../pipeline/modes/flow/team.ts';
import type { Core } from '../core.ts';
import { openFlow } from './team-state.ts';

/** Milliseconds between two looks at the processes of workers. */
const lookMs = 2_000;

/** Looks whether the processes of foreign workers still run. */
interface ProcessWatch {
  /** Counts a connection of a worker until the returned function is called. Then its process is looked for. */
  connect(worker: string): () => void;
  /** Looks now, and asks about workers of which nothing is known also after an earlier answer. */
  look(): void;
  /** Looks again and again while the session has foreign workers. */
  watch(): void;
}

interface State {
  readonly core: Core;
  /** How many connections each worker has. */
  readonly connections: Map<string, number>;
  isDue: boolean;
}

export const createProcessWatch = (core: Core): ProcessWatch => {
  const state: State = { core, connections: new Map(), isDue: false };
  return {
    connect: (worker) => {
      count(state, worker, 1);
      core.loop.run(() => answerForReturned(core, worker));
      return () => {
        count(state, worker, -1);
        look(state, (name) => name === worker);
        watch(state);
      };
    },
    look: () => {
      look(state, () => true);
      watch(state);
    },
    watch: () => watch(state),
  };
};

const count = ({ connections }: State, worker: string, by: number): void => {
  const now = (connections.get(worker) ?? 0) + by;
  if (now > 0) connections.set(worker, now);
  else connections.delete(worker);
};

/**
 * Releases the claims of workers that are proved dead. A person is asked about a worker that nobody can look for; `isAskedAnew`: also after an
 * earlier answer.
 */
const look = ({ core, connections }: State, isAskedAnew: (worker: string) => boolean): void => {
  const flow = openFlow(core);
  if (flow === null) return;
  const { loop, options } = core;
  loop.run(() => {
    for (const member of members(flow)) {
      const { name: worker, foreign } = member;
      if (foreign === null) continue;
      const life = options.spawn.isAlive(foreign.process);
      const reason = `its process ${foreign.process.pid} ended`;
      if (life === 'dead') loop.commit({ type: 'worker.left', worker, reason });
      else if (life === 'unknown' && !connections.has(worker)) askAbout(core, member, isAskedAnew(worker));
    }
  });
};

const watch = (state: State): void => {
  if (state.isDue) return;
  state.isDue = true;
  state.core.loop.later(lookMs, () => {
    state.isDue = false;
    const flow = openFlow(state.core);
    if (flow === null || !members(flow).some(({ foreign }) => foreign !== null)) return;
    look(state, () => false);
    watch(state);
  });
};

/** Asks whether a worker still works whose process belongs to another boot or container. Only its task is at stake. */
const askAbout = (core: Core, member: TeamMember, isAnew: boolean): void => {
  const { loop } = core;
  const { name, foreign } = member;
  const request = lostRequestOf(name);
  const earlier = loop.state().questions.get(request);
  const isAsked = earlier !== undefined && (earlier.answer === null || !isAnew);
  const task = ownTask(claimableList(loop.state()), member);
  if (isAsked || task === null) return;
  loop.commit({
    type: 'question.asked',
    request,
    kind: 'join',
    text: `Is ${name} still working on ${task.id}? Its connection was lost, and its process ${foreign?.process.pid ?? ''} belongs to another boot or container, so it cannot be checked.`,
    options: [
      { id: 'gone', label: 'no, free its task for others' },
      { id: 'works', label: 'yes, it keeps its task' },
    ],
    invocation: null,
  });
};

/** A worker that comes back with its key still works: this answers an open question about it. */
const answerForReturned = ({ loop }: Core, worker: string): void => {
  const request = lostRequestOf(worker);
  if (!loop.isOpen() || loop.state().questions.get(request)?.answer !== null) return;
  const answer = 'works';
  loop.commit({ type: 'question.answered', request, option: answer, answer, by: worker, signal: null });
};
