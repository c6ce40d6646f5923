import { usage } from '../cli.ts';
import type { Flags } from '../options.ts';

/** Refuses the option for issues, whose work it would not change: each branch has a way of its own. */
export const refuseAtEnd = ({ atEnd }: Flags): void => {
  if (atEnd !== undefined)
    throw usage(
      `--at-end ${atEnd} does not apply to an issue: its branch ends in a pull request`,
      'set flow.auto_merge to have it merged, or merge the branch yourself',
    );
};
