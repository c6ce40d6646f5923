import type { Cli } from '../cli.ts';
import { endSignals, onProcessSignals } from '../process-signals.ts';
import type { World } from '../world.ts';

/** What a person types. */
const quitWords: ReadonlySet<string> = new Set(['q', 'quit']);

/** What a program that works until it is stopped hears of that. */
export interface Drain {
  /** Somebody wants it to stop. */
  readonly asked: () => boolean;
  /** And does not want to wait for that. */
  readonly isImpatient: () => boolean;
  /** Resolves after this time, or with the next wish. */
  readonly pause: (ms: number) => Promise<void>;
  readonly release: () => void;
}

/** Listens for the wish to stop: a signal of the operating system, a reader that is gone, or a line with `q` from a person. */
export const listenForDrain = (cli: Cli, world: World): Drain => {
  let wishes = 0;
  let wake = (): void => {};
  const wish = (): void => {
    wishes += 1;
    wake();
  };
  const isGone = (): void => (wishes === 0 ? wish() : undefined);
  const ignoreSignals = onProcessSignals(endSignals, wish);
  cli.stdout.on('error', isGone);
  const leavePrompt = cli.hasPerson
    ? cli.typed.hold({ line: (text) => (quitWords.has(text.trim().toLowerCase()) ? wish() : undefined) })
    : () => {};
  return {
    asked: () => wishes > 0,
    isImpatient: () => wishes > 1,
    pause: (ms) =>
      new Promise((resolve) => {
        const cancel = world.clock.after(ms, () => wake());
        wake = () => {
          cancel();
          resolve();
        };
      }),
    release: () => {
      ignoreSignals();
      cli.stdout.off('error', isGone);
      leavePrompt();
    },
  };
};
