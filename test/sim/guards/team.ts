import { flowTaskOf } from '../../../src/issues/task-list/stored-task.ts';
import type { CreateGuard } from './guard.ts';

/** A claim has one winner, of the role of the task, who has one task at a time; nobody works without one, and at the end all have left. */
export const guardClaims: CreateGuard = ({ say }) => ({
  see: (event, state) => {
    const { flow } = state;
    if (flow === null) return;
    const at = `event ${event.seq}`;
    if (event.type === 'task.claimed' && event.worker !== null) {
      const { task, worker } = event;
      const definition = state.tasks.get(task)?.definition;
      const listed = definition === undefined ? null : flowTaskOf(definition);
      const member = flow.workers.get(worker);
      if (member === undefined || member.left !== null)
        say(`${at}: ${worker} claimed ${task} and is no member`);
      else if (member.role !== listed?.role)
        say(`${at}: ${worker} claimed ${task}, a task of the ${listed?.role}`);
      const others = [...state.invocations.values()].filter(
        (each) => each.task !== null && each.task !== task && each.worker === worker,
      );
      if (others[0] !== undefined) say(`${at}: ${worker} claimed ${task} beside ${others[0]?.task}`);
    }
    // The commands that verify a merge are the engine's and need no claim.
    if (event.type === 'invocation.started' && event.task !== undefined && event.mode !== 'TASK_REVIEW') {
      const claim = flow.claims.get(event.task);
      if (claim === undefined) say(`${at}: ${event.task} was started without a claim`);
      else if ((claim.worker ?? undefined) !== event.worker)
        say(`${at}: ${event.worker} started ${event.task}, which ${claim.worker} claimed`);
      const beside = [...state.invocations.values()].find(
        ({ id, worker }) => id !== event.invocation && worker !== null && worker === event.worker,
      );
      if (beside !== undefined) say(`${at}: ${event.worker} started ${event.task} beside ${beside.task}`);
      const same = [...state.invocations.values()].filter(
        ({ id, task }) => id !== event.invocation && task === event.task,
      );
      if (same.length > 0) say(`${at}: ${event.task} was started beside ${same[0]?.id}`);
    }
  },
  end: ({ flow, status }) => {
    if (flow === null || status !== 'completed') return;
    for (const { name, left } of flow.workers.values())
      if (left === null) say(`${name} is still a member at the end`);
  },
});

/** A task is done once, unless a person, its pull request or a new plan opened it again; and it is claimed by one worker at a time. */
export const guardOnce: CreateGuard = ({ say, journal, flow }) => ({
  end: () => {
    if (flow === null) return;
    const done = new Set<string>();
    const claimed = new Map<string, string>();
    for (const event of journal()) {
      switch (event.type) {
        case 'task.qualified':
          if (done.has(event.task)) say(`event ${event.seq}: ${event.task} was done twice`);
          done.add(event.task);
          break;
        case 'task.reset':
          done.delete(event.task);
          claimed.delete(event.task);
          break;
        case 'task.claimed': {
          const owner = claimed.get(event.task);
          if (owner !== undefined && owner !== event.worker)
            say(`event ${event.seq}: ${event.worker} claimed ${event.task}, which ${owner} has`);
          if (event.worker !== null) claimed.set(event.task, event.worker);
          break;
        }
        case 'task.released':
          claimed.delete(event.task);
          break;
        case 'worker.left':
          for (const [task, worker] of claimed) if (worker === event.worker) claimed.delete(task);
          break;
        default:
      }
    }
  },
});
