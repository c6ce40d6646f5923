import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readText, writeNew } from '../../base/replace-file.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';

/** Bytes: far more than a signal holds. */
const largestText = 256 * 1024;

/**
 * The text after editing it with `$VISUAL` or `$EDITOR` (else vi) in a private file. Throws a sentence when the
 * editor fails or is missing.
 */
export const editText = async (
  cli: Pick<Cli, 'env'>,
  world: World,
  text: string,
  name = 'message.md',
): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), 'ralph-tui-'));
  try {
    const file = join(directory, name);
    writeNew(world.disk, world.random, file, text === '' ? '' : `${text}\n`);
    await runEditor(cli, file);
    return (readText(world.disk, file, largestText) ?? '').replace(/\n$/, '');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

/** Opens an existing file: an editor would create a missing log. */
export const openFile = async (cli: Pick<Cli, 'env'>, world: World, file: string): Promise<void> => {
  if (world.disk.lstat(file)?.kind !== 'file') throw new Error(`there is no file ${file} yet`);
  await runEditor(cli, file);
};

/** Runs the editor on this terminal. The setting may contain arguments ("code --wait"), so a shell reads it. */
const runEditor = (cli: Pick<Cli, 'env'>, file: string): Promise<void> => {
  const editor = cli.env['VISUAL'] || cli.env['EDITOR'] || 'vi';
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', env: cli.env });
    child.once('error', (error) => reject(new Error(`${editor} could not be started: ${error.message}`)));
    child.once('exit', (code, signal) =>
      code === 0
        ? resolve()
        : reject(new Error(`${editor} ended with ${signal ?? `exit ${code}`}: nothing was taken over`)),
    );
  });
};
