import { FaultError } from '../../base/fault.ts';
import { childEnvironment } from '../../base/process/child-environment.ts';
import type { Child, ChildExit, SpawnListener } from '../../base/process/spawn.ts';
import { remoteProgram, sshCommand, sshFault } from '../../runners/carriers/ssh.ts';
import type { Settings } from '../../session/settings.ts';
import type { Cli } from '../cli.ts';
import { version } from '../version.ts';
import type { World } from '../world.ts';
import { unknownRunner } from './configured-runner.ts';

/** A machine of the configuration that ssh reaches, with our program. */
export interface Machine {
  readonly name: string;
  readonly alias: string;
  readonly command: readonly string[] | null;
  readonly version: string;
}

export const machinesOf = ({ runners }: Pick<Settings, 'runners'>): readonly Machine[] =>
  Object.entries(runners).flatMap(([name, entry]) =>
    'ssh' in entry ? [{ name, alias: entry.ssh, command: entry.command ?? null, version }] : [],
  );

/** The machine of this name. Throws a `FaultError` when there is none that ssh reaches. */
export const machineNamed = (settings: Pick<Settings, 'runners'>, name: string): Machine => {
  const found = machinesOf(settings).find((machine) => machine.name === name);
  if (found !== undefined) return found;
  if (!Object.hasOwn(settings.runners, name)) throw new FaultError(unknownRunner(name, settings));
  throw new FaultError({
    code: 'runner-here',
    what: `runner ${name} is on this machine and has no sessions of its own`,
    hint: '`ralph-tui sessions` lists the sessions on this machine',
  });
};

/** Starts our program on that machine, in a directory there. */
export const startThere = (
  cli: Pick<Cli, 'env' | 'cwd'>,
  { spawn }: Pick<World, 'spawn'>,
  machine: Machine,
  { words, directory }: { readonly words: readonly string[]; readonly directory?: string },
  output: SpawnListener['output'],
): Child =>
  spawn.start(
    {
      command: sshCommand(machine.alias, remoteProgram(machine, words, directory)),
      cwd: cli.cwd,
      env: childEnvironment(cli.env),
      marker: `machine:${process.pid}`,
    },
    { output },
  );

interface Called {
  readonly code: number;
  readonly out: Uint8Array;
  readonly said: string;
}

/** The most bytes of an answer. */
const mostBytes = 16 * 1_048_576;

/** The whole answer of our program on that machine. Throws a `FaultError` when the machine or the program was not reached. */
export const callThere = async (
  cli: Pick<Cli, 'env' | 'cwd'>,
  world: Pick<World, 'spawn'>,
  machine: Machine,
  call: { readonly words: readonly string[]; readonly directory?: string },
): Promise<Called> => {
  const out: Uint8Array[] = [];
  const said: Uint8Array[] = [];
  let size = 0;
  const child = startThere(cli, world, machine, call, (bytes, stream) => {
    size += bytes.length;
    if (size <= mostBytes) (stream === 'stdout' ? out : said).push(bytes);
    else void child.stop(1_000);
  });
  const exit = await child.exit;
  const words = Buffer.concat(said).toString().trim();
  if (size > mostBytes)
    throw new FaultError({
      code: 'runner-answer',
      what: 'its answer is larger than 16 MB',
      where: `runner ${machine.name}`,
    });
  return { code: codeOf(machine, exit, words), out: Buffer.concat(out), said: words };
};

/** The exit code of our program there. Throws a `FaultError` when it did not run. */
export const codeOf = (machine: Machine, exit: ChildExit, said: string): number => {
  const isOurs =
    exit.kind === 'exited' &&
    ![126, 127, 255].includes(exit.code) &&
    !(exit.code === 1 && /cannot find module/iu.test(said));
  if (isOurs) return exit.code;
  throw new FaultError(sshFault(machine, exit, said));
};
