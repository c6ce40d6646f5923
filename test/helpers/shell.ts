import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Cli } from '../../src/cli/cli.ts';
import { main, report } from '../../src/cli/program.ts';
import { tempDir } from './temp-dir.ts';
import { createTestCli } from './test-cli.ts';

/** Runs a command inside this process: exit code, what it printed, what it noted. */
export const createShell = (files: Readonly<Record<string, string>> = {}) => {
  const cwd = tempDir();
  mkdirSync(join(cwd, '.git'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  const run = async (
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    within = '.',
    replace: Partial<Cli> = {},
  ) => {
    const out: string[] = [];
    const notes: string[] = [];
    let code = 0;
    const cli: Cli = createTestCli({
      cwd: join(cwd, within),
      env: { XDG_STATE_HOME: join(cwd, 'state'), XDG_CONFIG_HOME: join(cwd, 'config'), ...env },
      print: (text) => out.push(text),
      printJson: (value) => out.push(JSON.stringify(value)),
      note: (text) => notes.push(text),
      does:
        (body) =>
        async (...values) => {
          try {
            code = await body(...values);
          } catch (error) {
            code = report(error, args.includes('--json'), cli);
          }
        },
      ...replace,
    });
    await main(args, process, cli);
    return { code, out: out.join('\n'), notes: notes.join('\n') };
  };
  const json = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse((await run([...args, '--json'])).out);
  return { cwd, run, json };
};
