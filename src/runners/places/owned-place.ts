import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { Disk } from '../../base/disk.ts';
import type { Spawn } from '../../base/process/spawn.ts';
import type { Random } from '../../base/random.ts';
import { readText, replaceFile } from '../../base/replace-file.ts';

export interface PlacePorts {
  readonly disk: Disk;
  readonly random: Random;
  readonly clock: Clock;
  readonly spawn: Pick<Spawn, 'self' | 'isAlive'>;
  /** The name of this machine. */
  readonly machine: string;
}

const ownerSchema = z.object({
  boot: z.string(),
  pidNamespace: z.string(),
  pid: z.number(),
  startTime: z.string(),
  machine: z.string(),
});

const ownerFile = 'owner.json';
/** Milliseconds after which a place without a readable owner counts as left behind. */
const oldMs = 7 * 86_400_000;

/** Makes a directory that belongs to this process. Another one removes it when this process is gone. */
export const claimPlace = ({ disk, random, spawn, machine }: PlacePorts, place: string): void => {
  disk.mkdir(place);
  replaceFile(disk, random, join(place, ownerFile), `${JSON.stringify({ ...spawn.self, machine })}\n`);
};

/**
 * Takes over the places in `directory` whose owner is gone, by renaming them: of two processes one gets each. Returns their new paths. A place of a process
 * that cannot be seen from here stays for a week.
 */
export const takeLeftPlaces = (ports: PlacePorts, directory: string): readonly string[] => {
  const { disk, random } = ports;
  if (disk.lstat(directory) === null) return [];
  return disk.readdir(directory).flatMap((name) => {
    const place = join(directory, name);
    if (disk.lstat(place)?.kind !== 'directory' || !isLeft(ports, place)) return [];
    const taken = `${place.replace(/\.left-[0-9a-f]+$/u, '')}.left-${random.hex(8)}`;
    try {
      disk.rename(place, taken);
      claimPlace(ports, taken);
      return [taken];
    } catch {
      // Another process was faster, or the disk is full: the next start tries again.
      return [];
    }
  });
};

const isLeft = ({ disk, clock, spawn, machine }: PlacePorts, place: string): boolean => {
  const owner = ownerOf(disk, place);
  if (owner !== null && owner.machine === machine) {
    if (owner.boot !== spawn.self.boot) return true;
    const life = spawn.isAlive(owner);
    if (life !== 'unknown') return life === 'dead';
  }
  const changed = disk.lstat(place)?.mtimeMs ?? clock.now();
  return clock.now() - changed > oldMs;
};

const ownerOf = (disk: Disk, place: string): z.output<typeof ownerSchema> | null => {
  try {
    const text = readText(disk, join(place, ownerFile), 4_096);
    const read = ownerSchema.safeParse(JSON.parse(text ?? 'null'));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
};
