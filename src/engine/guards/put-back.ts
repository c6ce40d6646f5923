import { relative } from 'node:path';
import type { Core } from '../core.ts';
import { more } from './control-faults.ts';
import type { ControlChange } from './control-files.ts';
import { keptIn, type Restoring, restoreFile } from './restore-file.ts';

/** Most changes that are reported one by one. */
const mostTold = 20;

/** Restores control files, and reports it. `first`: the number of the first text that is kept. Call it within `loop.run`. */
export const putBack = (
  core: Core & Restoring,
  changes: readonly ControlChange[],
  who: string,
  first: number,
): void => {
  for (const [index, change] of changes.entries()) {
    const fault = restoreFile(core, 'control-file', change, who, first + index);
    if (index < mostTold) core.problem(fault);
  }
  const { paths } = core.options;
  if (changes.length > mostTold)
    core.problem(more(changes.length - mostTold, who, relative(paths.workspace, keptIn(paths))));
};
