import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** An account and a machine on which the package is installed and tried: everything of it is in this folder. */
export interface Place {
  readonly folder: string;
  /** The folder of Node and npm; by default those that run this. */
  readonly node: string;
  /** The rest of the PATH. */
  readonly programs: string;
  readonly uid?: number;
}

export interface Ran {
  readonly code: number | null;
  readonly out: string;
}

export const prefixOf = ({ folder }: Place): string => join(folder, 'prefix');
export const homeOf = ({ folder }: Place): string => join(folder, 'home');

export const makePlace = (place: Place): Place => {
  for (const name of ['prefix', 'home', 'tmp', 'work'])
    mkdirSync(join(place.folder, name), { recursive: true, mode: 0o777 });
  return place;
};

/** Runs a program there to its end, without a terminal. `out` is what it printed, both streams. */
export const runIn = (
  place: Place,
  [program, ...args]: readonly [string, ...string[]],
  input = '',
): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const { folder, node, programs, uid } = place;
    const child = spawn(program, args, {
      cwd: join(folder, 'work'),
      timeout: 300_000,
      ...(uid === undefined ? {} : { uid, gid: uid }),
      env: {
        PATH: [join(prefixOf(place), 'bin'), node, programs].join(':'),
        HOME: homeOf(place),
        TMPDIR: join(folder, 'tmp'),
        LANG: 'C.UTF-8',
      },
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (out += String(piece)));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });

/** Installs a tarball for the whole account of the place, as a person does, without network. */
export const install = (place: Place, tarball: string, ...more: readonly string[]): Promise<Ran> =>
  runIn(place, [
    'npm',
    'install',
    '--global',
    '--offline',
    '--no-audit',
    '--no-fund',
    '--prefix',
    prefixOf(place),
    ...more,
    tarball,
  ]);
