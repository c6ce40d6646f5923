import { join } from 'node:path';
import { sha256 } from '../../base/hash.io.ts';
import { fromJson } from '../../base/json.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';
import { type Kept, keptSchema } from '../../serve/access/device.ts';
import { type Cli, failure } from '../cli.ts';
import { isPrivate } from '../session/proof/is-private.ts';
import { stateDirectory } from '../state-directory.ts';
import type { World } from '../world.ts';

/** What `serve` keeps of a workspace: its random path and its devices, outside the workspace, 0600. */
export interface KeptFile {
  readonly folder: string;
  /** What the file says now. A new workspace has a new path and no devices. */
  readonly read: () => Kept;
  readonly change: (edit: (kept: Kept) => Kept) => Kept;
}

/** Bytes: 50 devices have a few. */
const longest = 256 * 1024;

export const keptFileOf = (env: Cli['env'], world: World, workspace: string): KeptFile => {
  const folder = join(stateDirectory(env), 'serve');
  const file = join(folder, `${sha256(workspace).slice(0, 16)}.json`);
  const write = (kept: Kept): Kept => {
    world.disk.mkdir(folder);
    replaceFile(world.disk, world.random, file, `${JSON.stringify(kept, null, 2)}\n`);
    return kept;
  };
  const read = (): Kept => {
    const text = readText(world.disk, file, longest);
    if (text === null)
      return write({ path: world.random.hex(32), secret: world.random.hex(64), devices: [] });
    const kept = keptSchema.safeParse(fromJson(text)).data;
    if (kept === undefined || !isPrivate(world, file))
      throw failure({
        code: 'devices-unusable',
        what: 'the list of paired devices is damaged, or others can write to it',
        where: file,
        hint: 'remove the file, and pair the devices again',
      });
    return kept;
  };
  return { folder, read, change: (edit) => write(edit(read())) };
};
