import { printedCommand } from '../../base/process/printed-command.ts';
import { safeBlock } from '../../base/safe.ts';
import { type Cli, usage } from '../cli.ts';
import { endSignals, onProcessSignals } from '../process-signals.ts';
import type { World } from '../world.ts';
import { createWorld } from '../world.ts';
import { acceptedSettings } from './accepted-settings.ts';
import { farSession } from './far-sessions.ts';
import type { FarCommand } from './far-words.ts';
import { codeOf, machineNamed, startThere } from './machine.ts';

/**
 * Runs a command about a session of another machine there, by that machine's own program: its mailbox, its truth, its exit code. On a terminal its words pass
 * `safe`; a pipe gets them byte for byte.
 */
export const passOn = async (
  cli: Cli,
  { name, words }: FarCommand,
  world: World = createWorld(),
): Promise<number> => {
  const machine = machineNamed(acceptedSettings(cli, world, name.runner), name.runner);
  const { session_id: session, workspace } = await farSession(cli, world, machine, name.id);
  const all = words(session);
  if (all[0] === 'resume')
    throw usage(
      `resume the session on its own machine: \`${printedCommand('ssh', machine.alias)}\``,
      `there, run \`cd ${printedCommand(workspace)} && ralph-tui resume ${session}\``,
    );
  if (all.includes('--screen-reader'))
    throw usage(
      "line mode works only on the session's own machine",
      `run \`${printedCommand('ssh', machine.alias)}\`, then run \`ralph-tui attach ${session} --screen-reader\` there`,
    );
  let said = '';
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const child = startThere(cli, world, machine, { words: all, directory: workspace }, (bytes, stream) => {
    const text = decoders[stream].decode(bytes, { stream: true });
    if (stream === 'stderr') said = `${said}${text}`.slice(-4_000);
    const to = cli[stream];
    to.write(to.isTTY === true ? safeBlock(text) : bytes);
  });
  const ignore = onProcessSignals(endSignals, () => void child.stop(1_000));
  const exit = await child.exit.finally(ignore);
  return codeOf(machine, exit, said);
};
