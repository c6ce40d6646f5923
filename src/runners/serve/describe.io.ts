import { execFile } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import type { Disk } from '../../base/disk.ts';
import { findProgram, isProgramThere } from '../../base/process/find-program.ts';
import { ownEnvironment, ownProgram } from '../../base/process/own-program.io.ts';
import { packageVersion } from '../../base/process/package-version.io.ts';
import type { Capabilities } from '../wire/to-runner.ts';

/** What this machine has. `directory` exists: the free space of its disk counts. */
export const describeMachine = async (
  {
    disk,
    env,
    program,
    directory,
  }: {
    readonly disk: Disk;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly program: string;
    readonly directory: string;
  },
  programs: readonly string[],
): Promise<Capabilities> => {
  const { bavail, bsize } = statfsSync(directory);
  const isThere = isProgramThere(disk);
  const found = programs.flatMap((name) => {
    const file = findProgram(name, directory, env, isThere);
    return file === null ? [] : [{ name, file }];
  });
  return {
    program,
    node: process.version,
    git: await gitVersion(env),
    cores: availableParallelism(),
    freeBytes: bavail * bsize,
    now: Date.now(),
    agents: found.map(({ name }) => name),
    versions: Object.fromEntries(
      found.flatMap(({ name, file }) => {
        const version = packageVersion(file)?.slice(0, 100);
        return version === undefined ? [] : [[name, version]];
      }),
    ),
  };
};

const gitVersion = async (env: Readonly<Record<string, string | undefined>>): Promise<string | null> => {
  const own = ownEnvironment(env);
  const git = ownProgram('git', own.PATH, []);
  if (git === null) return null;
  try {
    const { stdout } = await promisify(execFile)(git, ['version'], {
      env: { ...own, LC_ALL: 'C' },
      timeout: 10_000,
    });
    return stdout
      .trim()
      .replace(/^git version /u, '')
      .slice(0, 100);
  } catch {
    return null;
  }
};
