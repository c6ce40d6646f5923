import { beginInside, type InsideOptions } from './built-program.ts';
import { followed } from './followed-output.ts';

/** A run of the built program in this process, to its end. */
export const runInside = async (
  args: readonly string[],
  options: InsideOptions,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> => {
  const { ended, ...streams } = beginInside(args, options);
  return { ...(await followed(streams, ended).done), code: await ended };
};
