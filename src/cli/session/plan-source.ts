import { isAbsolute, join } from 'node:path';
import { createDisk } from '../../base/disk.io.ts';
import { diskCode } from '../../base/disk.ts';
import { readText } from '../../base/replace-file.ts';
import { type Cli, Exit, exitCodes } from '../cli.ts';

/** Reads a plan file named on the command line. */
export const readPlanFile = (cli: Cli, file: string): string => {
  const path = isAbsolute(file) ? file : join(cli.cwd, file);
  let text: string | null;
  try {
    text = readText(createDisk(), path);
  } catch (error) {
    throw new Exit(exitCodes.usage, {
      code: 'plan-unreadable',
      where: file,
      what: `the plan cannot be read (${diskCode(error) || String(error)})`,
      hint: 'name a regular file of at most 4 MB',
    });
  }
  if (text === null)
    throw new Exit(exitCodes.usage, {
      code: 'plan-missing',
      where: file,
      what: 'the plan does not exist',
      hint: '`ralph-tui init --plan` writes one to start from',
    });
  return text;
};
