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

/**
 * Agents that work at the same time share one picture, because nothing shows which of them it was. While work of ours is under way nobody looks: what it did
 * so far would count as theirs. The picture is taken again after it.
 */
export const createWatch = ({ isFor, take, look }: Watched): Watch => {
  const working = new Set<InvocationId>();
  let ours = 0;
  const lookAtTheirs = (): void => {
    if (working.size > 0 && ours === 0) look(working);
  };
  return {
    around: async (brief, work) => {
      if (!isFor(brief)) return work();
      if (working.size === 0) take();
      working.add(brief.invocation);
      try {
        return await work();
      } finally {
        lookAtTheirs();
        working.delete(brief.invocation);
      }
    },
    own: async (work) => {
      lookAtTheirs();
      ours += 1;
      try {
        return await work();
      } finally {
        ours -= 1;
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
