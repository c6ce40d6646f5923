import { type ChildProcess, spawn } from 'node:child_process';
import { cleanEnvironment } from '../helpers/program.ts';

/** A program of node's whose standard output is waited for. */
export interface Listened {
  /** Resolves when standard output holds it. */
  readonly saying: (text: string) => Promise<void>;
  readonly end: () => Promise<void>;
}

export const listen = (args: readonly string[], cwd: string): Listened => {
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd,
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  let look = (): void => {};
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    look();
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  return {
    saying: (text) =>
      new Promise((resolve, reject) => {
        look = () => {
          const at = said.indexOf(text);
          if (at < 0) return;
          said = said.slice(at + text.length);
          look = () => {};
          resolve();
        };
        void ended.then(() => reject(new Error(`it ended before it said ${text}`)));
        look();
      }),
    end: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
