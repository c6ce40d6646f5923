import { spawn } from 'node:child_process';
import { cleanEnvironment } from '../helpers/program.ts';

/** Runs node with these arguments to its end. */
export const startNode = (args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: 'ignore', env: cleanEnvironment() });
    child.on('error', reject);
    child.on('close', () => resolve());
  });

/** A node that does nothing: below this no start of a program can be. */
export const startBareNode = (): Promise<void> => startNode(['-e', '0']);
