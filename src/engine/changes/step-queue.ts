/** Work on a repository, one piece after another. */
interface StepQueue {
  /** Runs after all that was queued before. Resolves when it is over. */
  queue(work: () => Promise<void>): Promise<void>;
  /** Runs when nothing of the other kind waits, one after another: removals take long where there are many files. */
  queueLast(work: () => Promise<void>): void;
}

/** `run` starts a piece, and sees to its errors: it never rejects. */
export const createStepQueue = (run: (work: Promise<void>) => Promise<void>): StepQueue => {
  let last: Promise<void> = Promise.resolve();
  let steps = 0;
  let removals: Promise<void> = Promise.resolve();
  return {
    queue: (work) => {
      steps += 1;
      last = run(last.then(work)).finally(() => {
        steps -= 1;
      });
      return last;
    },
    queueLast: (work) => {
      removals = run(
        removals.then(async () => {
          while (steps > 0) await last;
          await work();
        }),
      );
    },
  };
};
