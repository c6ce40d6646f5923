import type { Brief, InvocationId } from '../../agents/port.ts';
import type { Guard } from './guard.ts';

/** Compares something before and after the work of agents with a model, to say what changed meanwhile. */
export type Watch = Required<Guard>;

interface Watched {
  /** Whether the work of this brief is watched at all. */
  readonly isFor: (brief: Brief) => boolean;
  /** Takes the picture that the next look compares with. */
  readonly take: () => void;
  /** Compares with the last picture, says what differs, and takes the next picture. */
  readonly look: (working: ReadonlySet<InvocationId>) => void;
}

/** Agents that work at the same time share one picture, because nothing shows which of them it was. */
export const createWatch = ({ isFor, take, look }: Watched): Watch => {
  const working = new Set<InvocationId>();
  return {
    around: async (brief, work) => {
      if (!isFor(brief)) return work();
      if (working.size === 0) take();
      working.add(brief.invocation);
      try {
        return await work();
      } finally {
        look(working);
        working.delete(brief.invocation);
      }
    },
    own: async (work) => {
      if (working.size > 0) look(working);
      try {
        return await work();
      } finally {
        if (working.size > 0) take();
      }
    },
  };
};

/** The first few of what changed, in one clause. */
export const firstFew = (changed: readonly string[]): string => {
  const more = changed.length - mostNamed;
  return more > 0
    ? `${changed.slice(0, mostNamed).join(', ')} and ${more} more`
    : [changed.slice(0, -1).join(', '), ...changed.slice(-1)].filter((part) => part !== '').join(' and ');
};

const mostNamed = 5;
