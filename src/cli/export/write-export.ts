import { dirname, resolve } from 'node:path';
import { DiskError } from '../../base/disk.ts';
import { diskReason } from '../../base/disk-reason.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { safe } from '../../base/safe.ts';
import { type Cli, failure, usage } from '../cli.ts';
import type { OpenJournal } from '../session/open-session.ts';

/** Refuses a place that cannot take the file, before the session is read. */
export const checkTarget = (cli: Cli, { world: { disk }, paths }: OpenJournal, file: string): void => {
  const path = resolve(cli.cwd, file);
  if (path === paths.directory || path.startsWith(`${paths.directory}/`))
    throw usage(
      `${safe(file)} is inside the session directory, where only the session may write`,
      'choose another path',
    );
  const kind = disk.lstat(path)?.kind;
  if (kind !== undefined && kind !== 'file')
    throw usage(`${safe(file)} is not a regular file`, 'choose another path');
  if (disk.lstat(dirname(path)) === null)
    throw usage(
      `the directory ${safe(dirname(file))} does not exist`,
      'create it first, or choose another path',
    );
};

/** Writes the whole file or nothing, and says where it is. */
export const writeExport = (cli: Cli, { world }: OpenJournal, file: string, content: string): void => {
  const path = resolve(cli.cwd, file);
  try {
    replaceFile(world.disk, world.random, path, content);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    const { clause, hint } = diskReason(error);
    throw failure({ code: 'not-written', what: `not written: ${clause}`, where: path, hint });
  }
  cli.note(`Wrote ${safe(file)}, ${kilobytes(content)} kB`);
};

const kilobytes = (content: string): number =>
  Math.max(1, Math.round(new TextEncoder().encode(content).length / 1_000));
