import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownEnvironment } from '../../base/process/own-program.io.ts';
import { readText, writeNew } from '../../base/replace-file.ts';
import { safe } from '../../base/safe.ts';
import type { Cli } from '../cli.ts';
import type { World } from '../world.ts';
import { editorArguments } from './editor-arguments.ts';
import { endClause } from './end-clause.ts';

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

/** Opens an existing file, at a line where the editor takes one: an editor would create a missing log. */
export const openFile = async (
  cli: Pick<Cli, 'env'>,
  world: World,
  file: string,
  line?: number,
): Promise<void> => {
  if (world.disk.lstat(file)?.kind !== 'file') throw new Error(`${safe(file)} does not exist yet`);
  await runEditor(cli, file, line);
};

/** Runs the editor on this terminal. The setting may contain arguments ("code --wait"), so a shell reads it. */
const runEditor = (cli: Pick<Cli, 'env'>, file: string, line?: number): Promise<void> => {
  const editor = cli.env['VISUAL'] || cli.env['EDITOR'] || 'vi';
  const args = line === undefined ? [file] : editorArguments(editor, file, line);
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', `${editor} "$@"`, 'sh', ...args], {
      stdio: 'inherit',
      env: ownEnvironment(cli.env),
    });
    child.once('error', (error) => reject(new Error(`${editor} could not be started: ${error.message}`)));
    child.once('exit', (code, signal) =>
      code === 0
        ? resolve()
        : reject(new Error(`${editor} ${endClause(code, signal)}: the edit was discarded`)),
    );
  });
};
