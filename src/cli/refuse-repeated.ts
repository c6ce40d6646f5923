import type { Command } from 'commander';
import { usage } from './cli.ts';

/** Refuses an option with one value that is given twice: the last one would win, and the others would be ignored without a word. */
export const refuseRepeated = (program: Command): void => {
  for (const option of program.options) {
    if (!option.required || option.variadic || Array.isArray(option.defaultValue)) continue;
    let values = 0;
    program.on(`option:${option.name()}`, () => {
      values += 1;
      if (values > 1)
        throw usage(
          `${option.long ?? option.flags} is given twice, but takes one value`,
          'leave one of them out',
        );
    });
  }
  for (const command of program.commands) refuseRepeated(command);
};
