import { join } from 'node:path';
import { type Disk, diskCode } from '../../base/disk.ts';
import { sha256 } from '../../base/hash.io.ts';
import { fromJson } from '../../base/json.ts';
import { readText, replaceFile, writeNew } from '../../base/replace-file.ts';
import {
  type Device,
  type Kept,
  keptNameSchema,
  keptPlaceSchema,
  pairedSchema,
} from '../../serve/access/device.ts';
import {
  type Subscription,
  subscriptionSchema,
  type VapidKeys,
  vapidSchema,
} from '../../serve/push/subscription.ts';
import { type Cli, failure } from '../cli.ts';
import { isPrivate } from '../session/proof/is-private.ts';
import { stateDirectory } from '../state-directory.ts';
import type { World } from '../world.ts';

/**
 * What `serve` keeps of a workspace, outside it, for its owner alone: its random path, and its devices. Several programs change it at once. Therefore no
 * file is read, changed and written again: a device is a file that pairing makes and revoking removes, and nothing else ever writes it.
 */
export interface KeptFiles {
  /** Changes when a device is paired or revoked. */
  readonly folder: string;
  /** The present state. A new workspace has a new path and no devices. */
  readonly read: () => Kept;
  readonly pair: (device: Device) => void;
  readonly revoke: (id: string) => void;
  readonly rename: (id: string, name: string) => void;
  /** Where this device wants its notices; `null`: nowhere any more. */
  readonly receive: (id: string, push: Subscription | null) => void;
  /** The key pair for Web Push: the one that is there, otherwise `made`. */
  readonly vapid: (made: () => VapidKeys) => VapidKeys;
}

/** Bytes: each file holds one device, or less. */
const longest = 16 * 1024;

interface Files {
  readonly world: Pick<World, 'disk' | 'random'>;
  readonly place: string;
  readonly vapid: string;
  readonly devices: string;
  readonly names: string;
  readonly push: string;
}

export const keptFilesOf = (env: Cli['env'], world: Files['world'], workspace: string): KeptFiles => {
  const home = join(stateDirectory(env), 'serve', sha256(workspace).slice(0, 16));
  const { disk } = world;
  const files: Files = {
    world,
    place: join(home, 'place.json'),
    vapid: join(home, 'vapid.json'),
    devices: join(home, 'devices'),
    names: join(home, 'names'),
    push: join(home, 'push'),
  };
  for (const folder of [files.devices, files.names, files.push]) disk.mkdir(folder);
  const paired = (id: string): string => fileOf(files.devices, id);
  /** A note about a device that was revoked meanwhile means nothing, and goes. */
  const about = (id: string, file: string, value: unknown): void => {
    if (value === null) remove(disk, file);
    else replaceFile(disk, world.random, file, toText(value));
    if (disk.lstat(paired(id)) === null) remove(disk, file);
  };
  return {
    folder: files.devices,
    read: () => readKept(files),
    pair: ({ push: _push, ...device }) => writeNew(disk, world.random, paired(device.id), toText(device)),
    revoke: (id) => {
      for (const folder of [files.devices, files.names, files.push]) remove(disk, fileOf(folder, id));
    },
    rename: (id, name) => about(id, fileOf(files.names, id), name),
    receive: (id, push) => about(id, fileOf(files.push, id), push),
    vapid: (made) => readOrMake(files.world, files.vapid, vapidSchema, made),
  };
};

const readKept = (files: Files): Kept => {
  const { world, devices, names, push } = files;
  const { path, secret } = readOrMake(world, files.place, keptPlaceSchema, () => ({
    path: world.random.hex(32),
    secret: world.random.hex(64),
  }));
  const vapid = readOne(world, files.vapid, vapidSchema);
  const [named, pushed] = [idsIn(world.disk, names), idsIn(world.disk, push)];
  const all = [...idsIn(world.disk, devices)].flatMap((id): readonly Device[] => {
    const device = readOne(world, fileOf(devices, id), pairedSchema);
    if (device === null) return [];
    const name = named.has(id) ? readOne(world, fileOf(names, id), keptNameSchema) : null;
    const to = pushed.has(id) ? readOne(world, fileOf(push, id), subscriptionSchema) : null;
    return [{ ...device, name: name ?? device.name, ...(to === null ? {} : { push: to }) }];
  });
  // As they were paired.
  const sorted = all.toSorted((one, other) =>
    one.paired === other.paired ? one.id.localeCompare(other.id) : one.paired < other.paired ? -1 : 1,
  );
  return { path, secret, devices: sorted, ...(vapid === null ? {} : { vapid }) };
};

interface Parser<T> {
  readonly safeParse: (value: unknown) => { readonly data?: T | undefined };
}

/** `null`: there is no such file, or no more. One that others could have written counts for nothing. */
const readOne = <T>(world: Files['world'], file: string, { safeParse }: Parser<T>): T | null => {
  const text = readText(world.disk, file, longest);
  if (text === null) return null;
  const value = safeParse(fromJson(text)).data;
  if (value !== undefined && (isPrivate(world, file) || world.disk.lstat(file) === null)) return value;
  throw failure({
    code: 'devices-unusable',
    what: 'what `serve` keeps of its devices is damaged, or others can write to it',
    where: file,
    hint: 'remove the file, and pair its device again',
  });
};

/** Of two programs that make it at once, one does, and both get the same. */
const readOrMake = <T>(world: Files['world'], file: string, parser: Parser<T>, made: () => T): T => {
  const known = readOne(world, file, parser);
  if (known !== null) return known;
  const value = made();
  try {
    writeNew(world.disk, world.random, file, toText(value));
    return value;
  } catch (error) {
    if (diskCode(error) !== 'EEXIST') throw error;
    return readOrMake(world, file, parser, made);
  }
};

const fileOf = (folder: string, id: string): string => join(folder, `${id}.json`);

/** A temporary file has another ending. */
const idsIn = (disk: Disk, folder: string): ReadonlySet<string> =>
  new Set(disk.readdir(folder).flatMap((name) => /^([0-9a-f]{16})\.json$/.exec(name)?.[1] ?? []));

const toText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const remove = (disk: Disk, file: string): void => {
  try {
    disk.unlink(file);
  } catch (error) {
    if (diskCode(error) !== 'ENOENT') throw error;
  }
};
