import { spawnSync } from 'node:child_process';
import type { Spawn, SpawnCommand } from '../../base/process/spawn.ts';

/** A namespace of its own for ids and processes, and else all that is here. */
const apart = ['bwrap', '--unshare-user', '--unshare-pid', '--die-with-parent', '--dev-bind', '/', '/', '--'];

/** Whether this fence may make namespaces inside. */
export const canNest = (env: Readonly<Record<string, string | undefined>>): boolean => {
  const [program = '', ...words] = [...apart, 'true'];
  return spawnSync(program, words, { env, stdio: 'ignore' }).status === 0;
};

/**
 * Starts each command in namespaces of its own, for commands that prove an attempt with what an agent wrote: none can look into our program or change its
 * answer, and nothing that one leaves behind lives on beside the next.
 */
export const eachApart = (spawn: Spawn): Spawn => ({
  ...spawn,
  start: (command, listen) => spawn.start({ ...command, command: [...apart, ...argvOf(command)] }, listen),
});

const argvOf = ({ command }: SpawnCommand): readonly string[] =>
  typeof command === 'string' ? ['/bin/sh', '-c', '--', command] : command;
