import type { Fault } from '../../base/fault.ts';
import { childEnvironment } from '../../base/process/child-environment.ts';
import type { ChildExit } from '../../base/process/spawn.ts';
import { installedAt, sshCommand, sshFault } from '../../runners/carriers/ssh.ts';
import { type Cli, failure, usage } from '../cli.ts';
import { version } from '../version.ts';
import { createWorld, type World } from '../world.ts';
import { acceptedSettings } from './accepted-settings.ts';
import { configuredRunner } from './configured-runner.ts';
import { ownProgram } from './own-program.ts';

/** Copies this program to a runner, below `~/.local/share/ralph-tui/<version>`, and says which Node is there. Returns the directory. */
export const installRunner = async (
  cli: Cli,
  name: string,
): Promise<{ readonly directory: string; readonly node: string }> => {
  const world = createWorld();
  const settings = acceptedSettings(cli, world, name);
  const entry = configuredRunner(name, settings);
  if (!('ssh' in entry)) throw usage(`runner ${name} is on this machine: there is nothing to install`);
  if (entry.command !== undefined)
    throw usage(
      `runners.${name}.command names the remote program, so a copy would not be used`,
      'remove `command:` from the configuration and install again',
    );
  const packed = await runBytes(cli, world, ['tar', '-C', ownProgram(), '-cf', '-', '.'], null);
  if (!succeeded(packed.exit))
    throw failure({ code: 'no-tar', what: `tar could not pack this program: ${packed.said}` });
  const target = { name, alias: entry.ssh, command: null };
  const sent = await runBytes(cli, world, sshCommand(entry.ssh, unpack), packed.out);
  if (!succeeded(sent.exit)) throw failure(installFault(target, sent.exit, sent.said));
  const node = new TextDecoder().decode(sent.out).trim();
  return { directory: `~/${installedAt(version)}`, node };
};

const succeeded = (exit: ChildExit): boolean => exit.kind === 'exited' && exit.code === 0;

/** Unpacks beside the place and moves it there whole: a link that opens meanwhile finds the old program or the new one. Prints the version of Node. */
const unpack = [
  'set -e',
  `to="$HOME/${installedAt(version)}"`,
  'rm -rf "$to.new"',
  'mkdir -p "$to.new"',
  'tar -C "$to.new" -xf -',
  `printf '{"type":"module"}\\n' > "$to.new/package.json"`,
  'rm -rf "$to"',
  'mv "$to.new" "$to"',
  'command -v node >/dev/null || { echo "Node was not found there: install Node 22.12 or newer" >&2; exit 3; }',
  'node "$to/ralph-tui.js" --version >&2',
  'node --version',
].join('\n');

const installFault = (target: Parameters<typeof sshFault>[0], exit: ChildExit, said: string): Fault => {
  if (exit.kind === 'exited' && exit.code === 255) return sshFault(target, exit, said);
  const last = said.split('\n').findLast((line) => line.trim() !== '') ?? '';
  const what = `the copy failed there: ${last === '' ? 'it printed nothing' : last}`;
  return {
    code: 'runner-install',
    what,
    where: `runner ${target.name}`,
    hint: 'fix that and install again',
  };
};

/** Runs a program with bytes as its stdin. */
const runBytes = async (
  cli: Cli,
  { spawn }: World,
  command: readonly string[],
  input: Uint8Array | null,
): Promise<{ readonly exit: ChildExit; readonly out: Uint8Array; readonly said: string }> => {
  const out: Uint8Array[] = [];
  const said: Uint8Array[] = [];
  const child = spawn.start(
    {
      command,
      cwd: cli.cwd,
      env: childEnvironment(cli.env),
      marker: `install:${process.pid}`,
      ...(input === null ? {} : { talk: true }),
    },
    { output: (bytes, stream) => void (stream === 'stdout' ? out : said).push(bytes) },
  );
  // A program that ends early reads no more; its exit says why.
  if (input !== null) await child.write(input).catch(() => undefined);
  if (input !== null) child.endInput();
  const exit = await child.exit;
  return { exit, out: Buffer.concat(out), said: Buffer.concat(said).toString().trim() };
};
