/**
 * Milliseconds of this process's own time that `work` takes, the least of some tries: others may be using the cores. Some machines count it in hundredths
 * of a second, so that a short piece of work takes none: compare equal amounts of work, with a few of these to spare.
 */
export const processorTime = (work: () => void, tries = 3): number =>
  Math.min(
    ...Array.from({ length: tries }, () => {
      const began = process.cpuUsage().user;
      work();
      return (process.cpuUsage().user - began) / 1_000;
    }),
  );

/** `work` done `times` times. */
export const repeatedly = (times: number, work: () => void): (() => void) => {
  return () => {
    for (let time = 0; time < times; time += 1) work();
  };
};
