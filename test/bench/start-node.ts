import { spawn } from 'node:child_process';
import { cleanEnvironment } from '../helpers/program.ts';

/** Runs node with these arguments and this text on stdin to its end. */
export const startNode = (args: readonly string[], cwd = process.cwd(), input = ''): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: cleanEnvironment(),
      cwd,
    });
    child.on('error', reject);
    child.on('close', () => resolve());
    child.stdin.on('error', reject);
    child.stdin.end(input);
  });

/** A node that does nothing: below this no start of a program can be. */
export const startBareNode = (): Promise<void> => startNode(['-e', '0']);
