import { spawn } from 'node:child_process';
import { ownPath, ownProgram } from '../../base/process/own-program.io.ts';
import { safe } from '../../base/safe.ts';
import type { Notice } from '../../serve/act/notice.ts';
import type { Cli } from '../cli.ts';

interface NoticePlace {
  readonly env: Cli['env'];
  readonly cwd: string;
  readonly note: (text: string) => void;
}

/** Gives the notice to `notify.command`, as one line of JSON on its standard input. No program of the repository stands in for it. */
export const runNotice = (
  { env, cwd, note }: NoticePlace,
  [program, ...args]: readonly string[],
  notice: Notice,
): void => {
  if (program === undefined) return;
  const PATH = ownPath(env['PATH'], [cwd]);
  const found = ownProgram(program, PATH, []);
  if (found === null) {
    note(`notify.command did not start: there is no program ${safe(program)}`);
    return;
  }
  const child = spawn(found, args, { cwd, env: { ...env, PATH }, stdio: ['pipe', 'ignore', 'ignore'] });
  child.on('error', (error) => note(`notify.command did not start: ${safe(error.message)}`));
  child.on('exit', (code) => {
    if (code !== 0 && code !== null) note(`notify.command ended with ${code}`);
  });
  child.stdin.on('error', () => child.stdin.destroy());
  child.stdin.end(`${JSON.stringify(notice)}\n`);
};
