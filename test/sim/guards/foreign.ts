import type { CreateGuard } from './guard.ts';

/** How long a dead worker may keep its task while the program runs (ms): its processes are looked for every 2 seconds. */
const mostMs = 10_000;

/**
 * A worker of another program is let in by the settings or by a person, gets no task before, and a dead one loses its task.
 */
export const guardForeign: CreateGuard = ({ others, session, sent, say, wasFull }) => {
  /** The signal that answered a request, by it. */
  const answers = new Map<string, string | null>();
  let begunAt = session.clock.now();
  return {
    see: (event, state) => {
      const at = `event ${event.seq}`;
      if (event.type === 'session.started') begunAt = session.clock.now();
      if (event.type === 'question.answered') answers.set(event.request, event.signal);
      if (event.type === 'worker.admitted' && event.by !== 'flow.join') {
        const signal = answers.get(`join:${event.worker}`) ?? '';
        if (sent.get(signal)?.forged !== false) say(`${at}: ${event.worker} was let in by nobody known`);
      }
      if (
        event.type === 'worker.admitted' &&
        event.by === 'flow.join' &&
        state.settings.flow.join !== 'always'
      )
        say(`${at}: ${event.worker} was let in against the settings`);
      if (event.type !== 'task.claimed' && event.type !== 'task.submitted') return;
      const owner = state.flow?.claims.get(event.task)?.worker ?? null;
      const member = owner === null ? null : state.flow?.workers.get(owner);
      if (member?.foreign?.admittedBy === null)
        say(`${at}: ${event.type} of ${event.task} by ${owner}, whom nobody let in`);
    },
    look: ({ running, flow }) => {
      const now = session.clock.now();
      if (others === null || flow === null || !running || now - begunAt < mostMs) return;
      if (wasFull(now - mostMs)) return;
      const dead = new Set(others.deadBefore(now - mostMs));
      for (const [task, { worker }] of flow.claims)
        if (worker !== null && dead.has(worker) && flow.workers.get(worker)?.left === null)
          say(`${worker} has been dead for 10 s and still has ${task}`);
    },
  };
};
