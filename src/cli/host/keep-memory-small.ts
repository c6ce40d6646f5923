import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Engine } from '../../engine/engine.ts';

/**
 * Keeps the resident memory near what is in use. V8 lets garbage pile up in both heaps: 250 MB for a session of
 * 1,000 tasks that holds 40. On Linux each start of a command copies the page tables of all of it (1 ms at 50
 * MB, 22 ms at 350). A screen that prints 2,000 messages a second grows to 270 MB instead of 150. V8 reads the
 * flags again at each collection, so they can be set at run time. The heap never shrinks below the size it has
 * reached: a host sets them before it loads anything large. Node 20 to 24 know both flags; an unknown flag only
 * prints a warning.
 */
export const keepMemorySmall = (): void => {
  // Megabytes. The young heap does not grow beyond its size after loading the program.
  setFlagsFromString('--max-semi-space-size=4');
  setFlagsFromString('--semi-space-growth-factor=1');
  collectAt(growth.running);
};

/** Percent by which the old heap may grow between two full collections. `tasks`: while those of a large plan work. */
const growth = { running: 50, planning: 10, tasks: 25 };

/**
 * Gives freed memory back to the system. Reading a plan of 5,000 tasks takes 100 MB for a moment, and V8 keeps the pages while a program
 * is busy. Costs about 0.1 s.
 */
export const releaseMemory = (): void => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect({ type: 'major', flavor: 'last-resort' });
};

/**
 * Called before a large plan is read. Nearly all of what reading leaves is garbage, 60 MB for 5,000 tasks: the heap starts from what is in
 * use, and is collected more often until the first wave is chosen.
 */
export const expectLargePlan = (): void => {
  collectAt(growth.planning);
  releaseMemory();
};

/**
 * Releases the memory of reading a large plan: before the engine starts, and when the first wave is chosen. And what the tasks left, before the
 * end of an iteration: its lessons gather from all tasks, 20 MB for 5,000 in one second, on top of the garbage.
 */
export const releaseAroundTasks = (
  engine: Pick<Engine, 'subscribe'>,
  release = (): void => void setImmediate(releaseMemory),
): void => {
  expectLargePlan();
  let isAtWork = false;
  engine.subscribe((event) => {
    const begins = event.type === 'wave.chosen';
    const ends = event.type === 'state.entered' && event.state === 'SESSION_REVIEW';
    if (isAtWork ? !ends : !begins) return;
    isAtWork = begins;
    collectAt(isAtWork ? growth.tasks : growth.planning);
    release();
  });
};

const collectAt = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`);

/** Characters from which a plan counts as large: about 1,000 tasks. */
export const largePlan = 65_536;
