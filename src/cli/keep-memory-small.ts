import { setFlagsFromString } from 'node:v8';

/**
 * A screen makes some 10 MB of garbage a frame and keeps none of it. By itself V8 lets 50 MB of the young and as much of the old heap pile up before it looks,
 * which is a third of a gigabyte resident for a live heap of 30 MB; looking sooner costs some processor time. Both flags are read anew at each collection, so
 * they may be set while the program runs. Node 20 to 24 know them; one that did not would say so and go on.
 */
export const keepMemorySmall = (): void => {
  // The young heap stays as large as loading the program has made it.
  setFlagsFromString('--semi-space-growth-factor=1');
  // Percent by which the old heap may grow between two full collections.
  setFlagsFromString('--heap-growing-percent=50');
};
