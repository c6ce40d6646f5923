import type { Clock } from '../../base/clock.ts';
import type { Fault } from '../../base/fault.ts';
import { childEnvironment } from '../../base/process/child-environment.ts';
import { printedCommand, shellWords } from '../../base/process/printed-command.ts';
import type { ChildExit, Spawn } from '../../base/process/spawn.ts';
import type { Carrier } from './carrier.ts';
import { openProcess } from './process.ts';

interface SshPorts {
  readonly spawn: Spawn;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

interface SshTarget {
  /** The runner's name in the configuration. */
  readonly name: string;
  /** An alias of `~/.ssh/config`, or `user@machine`. */
  readonly alias: string;
  /** The program there, as words; `null`: where `runners install` puts it. */
  readonly command: readonly string[] | null;
  readonly version: string;
}

/** Options of every call: nothing is asked, host keys are checked, and neither keys nor ports are lent to the other machine. */
const sshOptions: readonly string[] = [
  '-T',
  '-oBatchMode=yes',
  '-oStrictHostKeyChecking=yes',
  '-oForwardAgent=no',
  '-oForwardX11=no',
  '-oClearAllForwardings=yes',
  '-oPermitLocalCommand=no',
  '-oConnectTimeout=15',
  '-oServerAliveInterval=5',
  '-oServerAliveCountMax=3',
];

/** The argv of a command on that machine. `--` ends the options, so that no alias can be one. */
export const sshCommand = (alias: string, remote: string): readonly string[] => [
  'ssh',
  ...sshOptions,
  '--',
  alias,
  remote,
];

/** The shell line that starts our program there with these words, in its home directory or in this one. */
export const remoteProgram = (
  { command, version }: Pick<SshTarget, 'command' | 'version'>,
  words: readonly string[],
  directory?: string,
): string => {
  const there = directory === undefined ? '' : `cd ${shellWords([directory])} && `;
  return command === null
    ? `${there}exec node "$HOME"/${installedAt(version)}/ralph-tui.js ${shellWords(words)}`
    : `${there}exec ${shellWords([...command, ...words])}`;
};

/** Where `runners install` puts the program, below the home directory. */
export const installedAt = (version: string): string => `.local/share/ralph-tui/${version}`;

/** Connections to another machine by the system's `ssh`. */
export const createSshCarrier = (ports: SshPorts, target: SshTarget): Carrier => ({
  kind: 'ssh',
  hints: {
    'runner-protocol': updateHint(target),
    'link-silent': `check that \`${printedCommand('ssh', target.alias, 'true')}\` exits: the remote shell may be waiting for input as it starts`,
  },
  open: (link, ends) =>
    openProcess(
      {
        spawn: ports.spawn,
        clock: ports.clock,
        command: {
          command: sshCommand(target.alias, remoteProgram(target, ['runner', '--stdio', '--link', link])),
          cwd: ports.cwd,
          env: childEnvironment(ports.env),
          marker: `runner:${target.name}/${link}`,
        },
        fault: (exit, said) => sshFault(target, exit, said),
      },
      ends,
    ),
});

/** How this version comes to that machine. A copy is used only where no `command:` names another program. */
export const updateHint = ({ name, command }: Pick<SshTarget, 'name' | 'command'>): string =>
  command === null
    ? `\`${printedCommand('ralph-tui', 'runners', 'install', name)}\` installs this version`
    : `runners.${name}.command names the remote program: correct it, or remove it and run \`${printedCommand('ralph-tui', 'runners', 'install', name)}\``;

const asUser = /log ?in as the user "?([\w.-]+)/iu;

/** Why ssh ended, with what to do. The words of ssh are quoted; its exit code alone would be 255 for all of them. */
export const sshFault = (
  { name, alias, command }: Pick<SshTarget, 'name' | 'alias' | 'command'>,
  exit: ChildExit,
  said: string,
): Fault => {
  const last =
    said
      .split('\n')
      .findLast((line) => line.trim() !== '')
      ?.trim()
      .replace(/\.$/u, '') ?? '';
  const where = `runner ${name}`;
  if (exit.kind === 'not-started')
    return {
      code: 'no-ssh',
      what: `ssh could not be started: ${exit.reason}`,
      where,
      hint: 'install OpenSSH',
    };
  const code = exit.kind === 'exited' ? exit.code : null;
  const quoted = last === '' ? '' : `: ${last}`;
  const told = ofTheMachine.find(({ words }) => words.test(said));
  if (told !== undefined)
    return { code: told.code, what: `${told.what}${quoted}`, where, hint: told.hint(alias, said) };
  // Node ends its complaint with its own version.
  const absent = code === 1 ? /cannot find module [^\n]*/iu.exec(said)?.[0] : undefined;
  if (code === 127 || code === 126 || absent !== undefined)
    return {
      code: 'runner-no-program',
      what: `the program was not found there${absent === undefined ? quoted : `: ${absent}`}`,
      where,
      hint: updateHint({ name, command }),
    };
  if (code !== 255)
    return {
      code: 'runner-ended',
      what: `the program there ${code === null ? `ended (${exit.kind})` : `exited with code ${code}`}${quoted}`,
      where,
      hint: `\`${printedCommand('ssh', alias)}\` shows what that machine says`,
    };
  const known = reasons.find(({ words }) => words.test(said));
  return {
    code: known?.code ?? 'runner-unreachable',
    what: last === '' ? 'ssh could not connect' : `ssh could not connect: ${last}`,
    where,
    hint: known?.hint(alias) ?? `\`${printedCommand('ssh', alias)}\` shows why`,
  };
};

/** What a machine itself says before our program runs there, whatever exit code it chose. */
const ofTheMachine: readonly {
  readonly words: RegExp;
  readonly code: string;
  readonly what: string;
  readonly hint: (alias: string, said: string) => string;
}[] = [
  {
    words: asUser,
    code: 'runner-login',
    what: 'the machine wants another user',
    hint: (alias, said) =>
      `write \`User ${asUser.exec(said)?.[1] ?? ''}\` below "Host ${alias}" in ~/.ssh/config`,
  },
  {
    words: /\bnode\b\W*(?:command )?not found|env: \W?node\W*: No such file/iu,
    code: 'runner-no-node',
    what: 'node was not found there',
    hint: () => 'install Node 22.12 or newer there, on the PATH that a shell without a terminal has',
  },
  {
    words: /needs Node \d/u,
    code: 'runner-node',
    what: 'Node is too old there',
    hint: () => 'install Node 22.12 or newer there',
  },
];

const reasons: readonly {
  readonly words: RegExp;
  readonly code: string;
  readonly hint: (alias: string) => string;
}[] = [
  {
    words: /REMOTE HOST IDENTIFICATION HAS CHANGED/u,
    code: 'runner-host-key',
    hint: (alias) =>
      `its host key has changed: ask the owner of ${alias} whether that is expected before you replace it in known_hosts`,
  },
  {
    words: /host key verification failed|no .*host key is known/iu,
    code: 'runner-host-key',
    hint: (alias) =>
      `its host key is unknown: run \`${printedCommand('ssh', alias)}\`, compare the key, and accept it once`,
  },
  {
    words: /permission denied|too many authentication failures/iu,
    code: 'runner-login',
    hint: (alias) =>
      `the server accepts none of your keys: \`${printedCommand('ssh-copy-id', alias)}\` adds one`,
  },
  {
    words: /could not resolve hostname/iu,
    code: 'runner-unknown-alias',
    hint: (alias) => `add "Host ${alias}" to ~/.ssh/config, or correct the alias`,
  },
];
