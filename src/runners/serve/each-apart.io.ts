import { spawnSync } from 'node:child_process';
import { ownProgram } from '../../base/process/own-program.io.ts';
import type { Child, Spawn, SpawnCommand } from '../../base/process/spawn.ts';

/** Places of the system alone: the directory of an agent's program, which comes first on the PATH in a fence, may hold a `bwrap` of its own. */
const systemPath = '/usr/local/bin:/usr/bin:/bin';

/** A namespace of its own for ids and processes, and else all that is here. */
const apart: readonly string[] = [
  ownProgram('bwrap', systemPath, []) ?? '/nowhere/bwrap',
  ...['--unshare-user', '--unshare-pid', '--die-with-parent', '--dev-bind', '/', '/', '--'],
];

/** Why this fence can make no namespaces inside, or could not be asked; `null`: it can. */
export const whyNotApart = (): string | null => {
  const [program = '', ...words] = [...apart, 'true'];
  const { status, error, stderr } = spawnSync(program, words, { env: {}, encoding: 'utf8' });
  if (status === 0) return null;
  return error?.message ?? (stderr.trim().split('\n').at(-1) || 'bwrap ended without a reason');
};

/**
 * Starts each command in namespaces of its own, for commands that prove an attempt with what an agent wrote: none can look into our program or change its
 * answer, and nothing that one leaves behind lives on beside the next. Where that cannot be had, or cannot be found out, none is started: its answer would
 * be no proof.
 */
export const eachApart = (spawn: Spawn, look: () => string | null): Spawn => {
  let asked: { readonly why: string | null } | null = null;
  return {
    ...spawn,
    start: (command, listen) => {
      asked ??= { why: look() };
      const { why } = asked;
      if (why === null) return spawn.start({ ...command, command: [...apart, ...argvOf(command)] }, listen);
      return notStarted(
        `in this sandbox no command can be kept apart from the others (${why}): name another place in \`on.verify\``,
      );
    },
  };
};

const argvOf = ({ command }: SpawnCommand): readonly string[] =>
  typeof command === 'string' ? ['/bin/sh', '-c', '--', command] : command;

const notStarted = (reason: string): Child => ({
  exit: Promise.resolve({ kind: 'not-started', reason }),
  write: () => Promise.reject(new Error(reason)),
  endInput: () => {},
  stop: () => Promise.resolve({ stopped: [], unverified: [] }),
});
