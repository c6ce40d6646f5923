import { existsSync, readFileSync } from 'node:fs';
import * as module from 'node:module';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Cli } from '../../src/cli/cli.ts';
import type { Host } from '../../src/cli/program.ts';

/** The built program; `npm test` builds it first. */
export const programFile = join(import.meta.dirname, '../../dist/ralph-tui.js');

/** What V8 compiled of the program, for all tests: without it each start compiles anew. */
export const compileCache = join(import.meta.dirname, '../../node_modules/.cache/ralph-tui');

type Main = (argv: readonly string[], host: Host, cli?: Cli) => Promise<void>;

let main: Main | null = null;

/** What the entry of the built program loads: found once, read when somebody asks. */
export const builtMain = (): Main => {
  if (main !== null) return main;
  if (!existsSync(programFile)) throw new Error(`${programFile} is missing: run \`npm run -s build\` first`);
  const [, chunk = ''] = /import\(`\.\/(program-[^`]+)`\)/.exec(readFileSync(programFile, 'utf8')) ?? [];
  module.enableCompileCache(compileCache);
  const loaded: Main = module.createRequire(import.meta.url)(join(programFile, '..', chunk)).main;
  // It starts itself by this name.
  process.argv[1] = programFile;
  main = loaded;
  return loaded;
};

/** A stream of a process that is no terminal. */
export const pipe = <S>() => Object.assign(new PassThrough(), { isTTY: false }) as unknown as PassThrough & S;

export interface InsideOptions {
  readonly cwd: string;
  readonly env: Host['env'];
  readonly input?: string | undefined;
}

/** The built program in this process, as with its streams piped: a tenth of the processor time of a process of its own. */
export const beginInside = (args: readonly string[], { cwd, env, input = '' }: InsideOptions) => {
  const [stdin, stdout, stderr] = [
    pipe<NodeJS.ReadStream>(),
    pipe<NodeJS.WriteStream>(),
    pipe<NodeJS.WriteStream>(),
  ];
  stdin.end(input);
  const host: Host = { stdin, stdout, stderr, env, cwd: () => cwd };
  const ended = builtMain()(args, host).then(async () => {
    await Promise.all(
      [stdout, stderr].map((stream) => new Promise((resolve) => stream.on('end', resolve).end())),
    );
    return Number(host.exitCode ?? 0);
  });
  return { stdout, stderr, ended };
};
