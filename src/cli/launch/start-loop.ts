import { type Cli, exitCodes, usage } from '../cli.ts';
import { type LoopStart, prepareLoop } from '../host/prepare-loop.ts';
import { refuseUnasked } from '../host/refuse-unasked.ts';
import { agreeTo, type Consent } from '../trust/ask-trust.ts';
import type { World } from '../world.ts';
import { type Discovering, discoverFirst } from './discover-first.ts';
import { runSession } from './run-session.ts';

/** Runs a new or resumed loop in this program, once the trust question is settled. */
export const startLoop = async (
  cli: Cli,
  world: World,
  start: LoopStart & { readonly background?: boolean },
  how: Consent,
  look: Discovering = { discovery: false, despiteCritical: false },
): Promise<number> => {
  if (start.background)
    throw usage(
      'a loop cannot be started in the background yet',
      'start it in a terminal, and leave it running with q',
    );
  const { request, release } = prepareLoop(cli, world, start);
  try {
    if (!(await agreeTo(cli, world, request, how))) return exitCodes.done;
    const discovered = await discoverFirst(cli, world, request, how, look);
    if (discovered.kind === 'stay') return exitCodes.done;
    const made = request.engine();
    refuseUnasked(made, { background: false, attended: made.attended });
    return await runSession(cli, world, made, start.mode).finally(discovered.stop);
  } finally {
    release();
  }
};
