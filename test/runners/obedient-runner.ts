/** A program that serves one link on stdin and stdout with the obedient backend, as `ralph-tui runner --stdio` does with agents. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createClock } from '../../src/base/clock.io.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import { createGit } from '../../src/changes/git/git.io.ts';
import { createCache } from '../../src/runners/repository/cache.ts';
import { describeMachine } from '../../src/runners/serve/describe.io.ts';
import { attachStreams } from '../../src/runners/serve/keeper.io.ts';
import { createLateBook } from '../../src/runners/serve/late.ts';
import { lowerRights } from '../../src/runners/serve/lower-rights.io.ts';
import { serveLink } from '../../src/runners/serve/serve-link.ts';
import { obedient } from './obedient.ts';

const lowered = process.argv.indexOf('--lower-to');
if (lowered > 0) lowerRights(Number(process.argv[lowered + 1]), process.env['HOME'] ?? '/');
const own = process.argv.indexOf('--in');
const home = join(process.env['HOME'] ?? '/nonexistent', 'obedient');
const directory = process.env['OBEDIENT_STATE'] ?? (own < 0 ? home : process.argv[own + 1]) ?? home;
const [disk, random] = [createDisk(), createRandom()];
const removeTree = async (path: string): Promise<void> => rmSync(path, { recursive: true, force: true });
disk.mkdir(directory);
const { attach } = serveLink({
  clock: createClock(),
  disk,
  random,
  spawn: createSpawn(),
  cache: createCache({
    git: createGit(process.env),
    disk,
    random,
    directory: join(directory, 'repositories'),
    removeTree,
  }),
  late: createLateBook(disk, random, join(directory, 'late')),
  removeTree,
  machine: 'there',
  work: join(directory, 'work'),
  link: random.hex(16),
  endLink: async () => undefined,
  backends: () => [obedient],
  only: () => null,
  describe: (programs) =>
    describeMachine({ disk, env: process.env, program: 'obedient', directory }, programs),
  self: random.hex(16),
  program: 'obedient',
  keeps: false,
  over: () => process.exit(0),
});
attachStreams(process.stdin, process.stdout, attach, () => process.stdin.destroy());
