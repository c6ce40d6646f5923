import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'rolldown';

/** A program of the torture as it is started hundreds of times: in one file, with the code that V8 made of it kept beside it. */
export interface BundledWorker {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Puts `source` and all it imports into one file below `directory`. A worker that loads its modules one by one takes 300 ms of a processor to start,
 * which is longer than a storm lets it live; this takes 50. With the arguments `rehearsal` it does all of its work once, and ends.
 */
export const bundleWorker = async (
  source: string,
  directory: string,
  rehearsal: readonly string[],
): Promise<BundledWorker> => {
  const file = join(directory, 'worker.mjs');
  await build({
    input: source,
    platform: 'node',
    external: [/^node:/],
    logLevel: 'silent',
    output: { file, format: 'esm' },
  });
  const env = { NODE_COMPILE_CACHE: join(directory, 'compiled') };
  const { status, stderr } = spawnSync(process.execPath, [file, ...rehearsal], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the worker does not start: ${stderr}`);
  return { file, env };
};
