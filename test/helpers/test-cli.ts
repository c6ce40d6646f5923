import type { Cli } from '../../src/cli/cli.ts';
import { createTypedLines } from '../../src/cli/typed-lines.ts';
import { pipe } from './built-program.ts';

/** A `Cli` for looking at the program without running anything. */
export const createTestCli = (replace: Partial<Cli> = {}): Cli => ({
  cwd: '/nowhere',
  env: {},
  stdin: process.stdin,
  typed: createTypedLines(process.stdin),
  // What is asked on them is not printed among the results of the tests.
  stdout: pipe<NodeJS.WriteStream>().resume(),
  stderr: pipe<NodeJS.WriteStream>().resume(),
  hasPerson: false,
  hasScreen: false,
  ascii: false,
  launcher: null,
  print: () => {},
  printJson: () => {},
  note: () => {},
  showsCommands: () => {},
  learn: () => {},
  does: () => async () => {},
  run: async () => {},
  ...replace,
});
