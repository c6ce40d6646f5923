import { randomBytes } from 'node:crypto';
import type { Random } from './random.ts';

/** Random names from the operating system: two processes never get the same one. */
export const createRandom = (): Random => ({
  hex: (length) =>
    randomBytes(Math.ceil(length / 2))
      .toString('hex')
      .slice(0, length),
});
