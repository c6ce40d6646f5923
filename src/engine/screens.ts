/** How many screens show a session now: the hosting one, and those that are attached. */
export interface Screens {
  readonly count: () => number;
  /** A screen shows the session from now on. Returns the function that says that it is gone. */
  readonly came: () => () => void;
  /** Calls this whenever a screen is gone. */
  readonly watch: (gone: () => void) => void;
}

export const createScreens = (): Screens => {
  const shown = new Set<symbol>();
  const watchers: (() => void)[] = [];
  return {
    count: () => shown.size,
    came: () => {
      const screen = Symbol('screen');
      shown.add(screen);
      return () => {
        if (shown.delete(screen)) for (const gone of watchers) gone();
      };
    },
    watch: (gone) => {
      watchers.push(gone);
    },
  };
};
