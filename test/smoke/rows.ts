import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { homeOf, install, makePlace, type Place, runIn } from './place.ts';
import { demoTries, mcpTry, quickTries, saying, type Try } from './tries.ts';

/** One way to have the package on a machine: prepares it and returns what is tried, or what went wrong. */
export interface SmokeRow {
  readonly name: string;
  /** What the short form tries there: what such a machine may break. `null`: it leaves the row out. */
  readonly short: readonly Try[] | null;
  /** Only root can become another user. */
  readonly needsRoot?: boolean;
  readonly prepare: (folder: string, tarball: string) => Promise<Place | string>;
}

/** The account that owns nothing. */
const nobody = 65_534;

const ownNode = dirname(process.execPath);
const npmFolder = dirname(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
const usual = `${npmFolder}:/usr/bin:/bin`;

const installed = async (
  place: Place,
  tarball: string,
  ...more: readonly string[]
): Promise<Place | string> => {
  const done = await install(makePlace(place), tarball, ...more);
  return done.code === 0 ? place : saying(done);
};

/** A Node of that version, from the npm package `node`. */
const nodeOf = (folder: string, version: string): string => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', `node@${version}`], {
    cwd: folder,
    stdio: 'ignore',
  });
  return join(folder, 'node_modules/node/bin');
};

/** A folder with every program of this machine but git. */
const withoutGit = (folder: string): string => {
  mkdirSync(folder, { recursive: true });
  for (const from of ['/bin', '/usr/bin', npmFolder])
    for (const name of readdirSync(from))
      if (!/^(?:git|node$)/.test(name))
        try {
          symlinkSync(realpathSync(join(from, name)), join(folder, name));
        } catch {
          // It is there already, or dangles.
        }
  return folder;
};

const of = (version: string, short: SmokeRow['short']): SmokeRow => ({
  name: `Node ${version}`,
  short,
  prepare: async (folder, tarball) =>
    installed({ folder, node: nodeOf(`${folder}-node`, version), programs: usual }, tarball),
});

/** Installed by one account, and used by another. Root may write anywhere, so a HOME that is read-only is one only for others. */
const asNobody = async (folder: string, tarball: string, home: number): Promise<Place | string> => {
  const place = { folder, node: ownNode, programs: usual };
  const done = await installed(place, tarball);
  if (typeof done === 'string') return done;
  for (const name of ['tmp', 'work']) chmodSync(join(folder, name), 0o777);
  chmodSync(homeOf(place), home);
  return { ...place, uid: nobody };
};

const publicPackage = {
  'package.json': JSON.stringify({ name: 'ralph-tui', version: '9.9.9', bin: { 'ralph-tui': 'other.js' } }),
  'other.js': '#!/usr/bin/env node\nconsole.log("the other program");\n',
};

/** Beside a package of the same name for its program: npm refuses, `--force` or a prefix of its own installs, and both names are ours then. */
const besidePublic = async (folder: string, tarball: string): Promise<Place | string> => {
  const place = makePlace({ folder, node: ownNode, programs: usual });
  const other = join(folder, 'other');
  mkdirSync(other);
  for (const [name, text] of Object.entries(publicPackage))
    writeFileSync(join(other, name), text, { mode: 0o755 });
  const first = await install(place, other, '--install-links');
  if (first.code !== 0) return saying(first);
  const refused = await install(place, tarball);
  if (refused.code === 0 || !refused.out.includes('EEXIST')) return `npm did not refuse: ${saying(refused)}`;
  const forced = await install(place, tarball, '--force');
  const second = await runIn(place, ['ralph-sessions', '--version']);
  return forced.code === 0 && second.code === 0 ? place : saying(second.code === 0 ? forced : second);
};

export const smokeRows: readonly SmokeRow[] = [
  {
    name: `this Node, ${process.versions.node}`,
    short: [...quickTries, ...demoTries.slice(0, 1), mcpTry],
    prepare: async (folder, tarball) => installed({ folder, node: ownNode, programs: usual }, tarball),
  },
  of('22.12.0', [...quickTries, ...demoTries.slice(0, 1), mcpTry]),
  of('22.22.0', null),
  of('24.0.0', null),
  {
    name: 'without git',
    short: [...quickTries, ...demoTries.slice(0, 1)],
    prepare: async (folder, tarball) =>
      installed({ folder, node: ownNode, programs: withoutGit(`${folder}-programs`) }, tarball),
  },
  {
    name: 'a path with blanks and letters of other languages',
    short: quickTries,
    prepare: async (folder, tarball) =>
      installed(
        { folder: join(folder, 'größe der ワークショップ'), node: ownNode, programs: usual },
        tarball,
      ),
  },
  {
    name: 'another user',
    short: null,
    needsRoot: true,
    prepare: (folder, tarball) => asNobody(folder, tarball, 0o777),
  },
  {
    name: 'another user, whose HOME is read-only',
    short: quickTries,
    needsRoot: true,
    prepare: (folder, tarball) => asNobody(folder, tarball, 0o555),
  },
  { name: 'beside the public package ralph-tui', short: quickTries, prepare: besidePublic },
];
