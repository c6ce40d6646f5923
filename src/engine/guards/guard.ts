import type { Brief, RoleEnd } from '../../agents/port.ts';

/** Looks at something before and after the work of an invocation, and may change how that ends. */
export interface Guard {
  around(brief: Brief, work: () => Promise<RoleEnd>): Promise<RoleEnd>;
  /** Runs work of ours that would otherwise be news to this guard. */
  own?<T>(work: () => Promise<T>): Promise<T>;
}

/** Runs the work of an invocation inside guards: the first looks first, and again last. */
export const guarded = (
  guards: readonly Guard[],
  brief: Brief,
  work: () => Promise<RoleEnd>,
): Promise<RoleEnd> =>
  guards.reduceRight<() => Promise<RoleEnd>>((inner, guard) => () => guard.around(brief, inner), work)();

/** Runs work of ours, so that no guard blames an agent that works meanwhile. */
export const asOurs = <T>(watches: readonly Required<Guard>[], work: () => Promise<T>): Promise<T> =>
  watches.reduceRight<() => Promise<T>>((inner, watch) => () => watch.own(inner), work)();
