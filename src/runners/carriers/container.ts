import type { Clock } from '../../base/clock.ts';
import type { Fault } from '../../base/fault.ts';
import type { ChildExit, Spawn } from '../../base/process/spawn.ts';
import type { Carrier } from './carrier.ts';
import { openProcess } from './process.ts';

interface ContainerPorts {
  readonly spawn: Spawn;
  readonly clock: Clock;
  readonly cwd: string;
  /** The environment of the command line itself. Of it, only `variables` come into the container. */
  readonly env: Readonly<Record<string, string>>;
}

interface ContainerTarget {
  readonly name: string;
  readonly engine: 'podman' | 'docker';
  readonly image: string;
  /** The directory of our program on this machine. */
  readonly program: string;
  readonly memory: string;
  readonly pids: number;
  readonly network: 'on' | 'none';
  /** Names of variables of `env`: their values are never in an argv. */
  readonly variables: readonly string[];
}

/**
 * The argv of a container around `ralph-tui runner --stdio`: no capability, no new rights, bounds for memory and processes, and of this machine nothing but
 * our program, read-only. It is gone when the connection ends.
 */
export const containerCommand = (target: ContainerTarget, link: string): readonly string[] => [
  ...[target.engine, 'run', '--rm', '-i', '--init', `--name=ralph-${link}`],
  ...['--cap-drop=ALL', '--security-opt=no-new-privileges'],
  ...[`--pids-limit=${target.pids}`, `--memory=${target.memory}`],
  ...(target.network === 'none' ? ['--network=none'] : []),
  ...['--mount', `type=bind,source=${target.program},target=/ralph,readonly`],
  ...target.variables.flatMap((name) => ['--env', name]),
  ...[target.image, 'node', '/ralph/ralph-tui.js', 'runner', '--stdio'],
];

/** A link into a new container. */
export const createContainerCarrier = (ports: ContainerPorts, target: ContainerTarget): Carrier => ({
  kind: 'container',
  open: (link, ends) =>
    openProcess(
      {
        spawn: ports.spawn,
        clock: ports.clock,
        command: {
          command: containerCommand(target, link),
          cwd: ports.cwd,
          env: ports.env,
          marker: `runner:${target.name}/${link}`,
        },
        fault: (exit, said) => containerFault(target, exit, said),
      },
      ends,
    ),
});

/** Why a container ended, with what to do. 125 is the command line's own failure, 126 and 127 those to start a program inside. */
export const containerFault = (
  { name, engine, image }: Pick<ContainerTarget, 'name' | 'engine' | 'image'>,
  exit: ChildExit,
  said: string,
): Fault => {
  const where = `runner ${name}`;
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  const last = lines.at(-1)?.trim() ?? '';
  const quoted = last === '' ? '' : `: ${last}`;
  if (exit.kind === 'not-started')
    return {
      code: 'no-container',
      what: `${engine} could not be started: ${exit.reason}`,
      where,
      hint: `install ${engine}`,
    };
  const code = exit.kind === 'exited' ? exit.code : null;
  if (code === 126 || code === 127)
    return {
      code: 'runner-no-program',
      what: `node was not found in ${image}${quoted}`,
      where,
      hint: 'name an image that has git and Node 22.12 or newer',
    };
  if (code === 125)
    return {
      code: 'runner-container',
      what: `${engine} could not start ${image}${quoted}`,
      where,
      hint: `try \`${engine} run --rm ${image} node --version\``,
    };
  return {
    code: 'runner-ended',
    what: `the container ended${quoted}`,
    where,
    hint: `look at \`${engine} ps -a\``,
  };
};
