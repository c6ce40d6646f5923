import type { Cli } from '../../src/cli/cli.ts';
import { createTypedLines } from '../../src/cli/typed-lines.ts';

/** A `Cli` for looking at the program without running anything. */
export const createTestCli = (replace: Partial<Cli> = {}): Cli => ({
  cwd: '/nowhere',
  env: {},
  stdin: process.stdin,
  typed: createTypedLines(process.stdin),
  stdout: process.stdout,
  stderr: process.stderr,
  hasScreen: false,
  ascii: false,
  print: () => {},
  printJson: () => {},
  note: () => {},
  showsCommands: () => {},
  learn: () => {},
  does: () => async () => {},
  run: async () => {},
  ...replace,
});
