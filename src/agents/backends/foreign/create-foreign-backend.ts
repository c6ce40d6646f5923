import type { Clock } from '../../../base/clock.ts';
import type { Backend } from '../../port.ts';
import { foreignName } from '../../profiles/foreign-name.ts';
import { createForeignWorker, type ForeignWork } from './foreign-worker.ts';

/** The work of every worker that another program runs, by its name. */
export interface ForeignWorks {
  readonly backend: Backend;
  /** This program serves the worker from now on. */
  met(worker: string, program: string): void;
  /** What this worker has in hand; `null`: nothing, or its worktree is still being made. */
  workOf(worker: string): ForeignWork | null;
  /** Calls back whenever a worker gets work or loses it. Returns the end of it. */
  watch(changed: () => void): () => void;
}

/** The backend of workers that other programs run, and the place where those find their work. */
export const createForeignBackend = (clock: Clock): ForeignWorks => {
  const works = new Map<string, ForeignWork>();
  const watchers = new Set<() => void>();
  const programs = new Map<string, string>();
  return {
    met: (worker, program) => void programs.set(worker, program),
    workOf: (worker) => works.get(worker) ?? null,
    watch: (changed) => {
      watchers.add(changed);
      return () => void watchers.delete(changed);
    },
    backend: {
      name: foreignName,
      label: 'a worker in another program',
      model: { tools: true, updates: true },
      start: (brief, host) => {
        const name = brief.worker ?? '';
        let shown: ForeignWork | null = null;
        return createForeignWorker({
          brief,
          host,
          clock,
          program: () => programs.get(name) ?? '',
          show: (work) => {
            // A later invocation of the same worker may have begun.
            if (work === null && works.get(name) !== shown) return;
            shown = work;
            if (work === null) works.delete(name);
            else works.set(name, work);
            for (const changed of watchers) changed();
          },
        });
      },
    },
  };
};
