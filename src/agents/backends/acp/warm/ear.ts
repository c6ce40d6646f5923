import type { LinkListener } from '../link.ts';

/** Passes on the words of an agent to the work that it does now. Late words of its earlier sessions reach nobody. */
export interface Ear {
  readonly listener: LinkListener;
  hear(next: LinkListener): void;
  over(session: string): void;
  again(session: string): void;
  readonly leader: () => number | null;
}

export const createEar = (first: LinkListener): Ear => {
  let now = first;
  let process: { readonly pid: number; readonly startTime: string } | null = null;
  const past = new Set<string>();
  return {
    listener: {
      started: (begun) => {
        process = begun;
        now.started(begun);
      },
      update: (session, update) => {
        if (!past.has(session)) now.update(session, update);
      },
      permission: async (request, over) => (past.has(request.session) ? null : now.permission(request, over)),
      elicit: (form, over) => now.elicit(form, over),
      pull: () => now.pull(),
      log: (bytes) => now.log(bytes),
    },
    hear: (next) => {
      now = next;
      if (process !== null) next.started(process);
    },
    over: (session) => past.add(session),
    again: (session) => past.delete(session),
    leader: () => process?.pid ?? null,
  };
};

/** An agent that waits asks for nothing: no work of it runs. */
export const deaf: LinkListener = {
  started: () => {},
  update: () => {},
  permission: async () => null,
  elicit: async () => ({ action: 'cancel' }),
  pull: async () => [],
  log: () => {},
};
