import type { Cli } from '../cli.ts';
import { acceptedSettings } from '../runners/accepted-settings.ts';
import { farSession } from '../runners/far-sessions.ts';
import type { FarName } from '../runners/far-words.ts';
import { machineNamed } from '../runners/machine.ts';
import { showFar } from '../screen/show-far.ts';
import { showSessions } from '../screen/show-sessions.ts';
import { createWorld } from '../world.ts';

/** Shows a session of another machine on the screen. */
export const watchFar = async (cli: Cli, name: FarName): Promise<number> => {
  const world = createWorld();
  const machine = machineNamed(acceptedSettings(cli, world, name.runner), name.runner);
  const far = await farSession(cli, world, machine, name.id);
  return showSessions(cli, world, showFar(cli, world, machine, far));
};
