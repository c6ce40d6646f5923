/**
 * How long tests wait before they give up, in milliseconds: the same for all, and many times what a quiet machine takes. A limit near that decides how loaded
 * the machine is, not whether the program is right. No test sets a shorter one, except where the time itself is the promise.
 */
export const limits = {
  /** One condition: a text, a file, a process. */
  wait: 180_000,
  /** A whole test, or a hook. */
  test: 900_000,
} as const;
