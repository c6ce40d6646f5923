import { builtMain } from './built-program.ts';
import { cleanEnvironment, type ProgramOptions } from './program.ts';
import { createTestCli } from './test-cli.ts';

/** What a command says on both streams, and its exit code. */
export interface Told {
  readonly code: number;
  readonly text: string;
}

const codeOf = (error: unknown): number =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : 1;

/** What a command of the built program says, run in this process as by a person without a screen. */
export const tell = async (
  args: readonly string[],
  { cwd, env }: Pick<ProgramOptions, 'cwd' | 'env'>,
): Promise<Told> => {
  const said: string[] = [];
  let code = 0;
  const cli = createTestCli({
    cwd,
    env: cleanEnvironment(env),
    print: (text) => void said.push(text),
    note: (text) => void said.push(text),
    does:
      (body) =>
      async (...parts) => {
        try {
          code = await body(...parts);
        } catch (error) {
          code = codeOf(error);
          said.push(error instanceof Error ? error.message : String(error));
        }
      },
  });
  await builtMain()(args, process, cli);
  return { code, text: said.join('\n') };
};

/** Why the command line is refused before anything is done, or `null`. */
export const refusedLine = async (args: readonly string[]): Promise<string | null> => {
  let refused: string | null = null;
  const cli = createTestCli({
    does:
      (body) =>
      async (...parts) => {
        // A command gets its options; only what the program throws itself comes without.
        if (parts.length > 0) return;
        try {
          await body(...parts);
        } catch (error) {
          refused = error instanceof Error ? error.message : String(error);
        }
      },
  });
  await builtMain()(args, process, cli);
  return refused;
};

/**
 * The one JSON value that a command of the built program answers with, run in this process: a tenth of the processor time of a process of its
 * own. For what a test looks at or orders by the way. Where the command is what is tested, `runJson` runs it as people do.
 */
export const ask = async (
  args: readonly string[],
  { cwd, env }: Pick<ProgramOptions, 'cwd' | 'env'>,
  expected = 0,
): Promise<unknown> => {
  const said: unknown[] = [];
  const notes: string[] = [];
  let code = 0;
  const cli = createTestCli({
    cwd,
    env: cleanEnvironment(env),
    printJson: (value) => void said.push(value),
    note: (text) => void notes.push(text),
    does:
      (body) =>
      async (...parts) => {
        try {
          code = await body(...parts);
        } catch (error) {
          code = 1;
          notes.push(String(error));
        }
      },
  });
  await builtMain()([...args, '--json'], process, cli);
  if (code !== expected || said.length !== 1)
    throw new Error(`\`${args.join(' ')}\`: exit ${code}, expected ${expected}\n${notes.join('\n')}`);
  // As it comes out of a pipe: what is undefined is left out.
  return JSON.parse(JSON.stringify(said[0]));
};
