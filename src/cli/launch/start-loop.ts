import { readFirstLine } from '../../observability/journal-file.ts';
import { type Cli, exitCodes } from '../cli.ts';
import { hostApart } from '../host/host-apart.ts';
import { type LoopStart, prepareLoop } from '../host/prepare-loop.ts';
import { refuseUnasked } from '../host/refuse-unasked.ts';
import type { EngineRequest } from '../host/wire.ts';
import { hostOf } from '../session/open-session.ts';
import { agreeTo, type Consent } from '../trust/ask-trust.ts';
import type { World } from '../world.ts';
import { type Discovering, discoverFirst } from './discover-first.ts';
import { offerInstall } from './offer-install.ts';
import { orNoSession } from './or-no-session.ts';
import { runSession } from './run-session.ts';
import { watchHosted } from './watch-hosted.ts';

/** Runs a new or resumed loop once the trust question is settled, here or in a process of its own. */
export const startLoop = async (
  cli: Cli,
  world: World,
  start: LoopStart & { readonly background?: boolean },
  how: Consent,
  look: Discovering = { discovery: false, despiteCritical: false },
): Promise<number> => {
  const { request, release } = await offerInstall(cli, how, () => prepareLoop(cli, world, start));
  try {
    if (!(await agreeTo(cli, world, request, how))) return exitCodes.done;
    const discovered = await discoverFirst(cli, world, request, how, look);
    if (discovered.kind === 'stay') return exitCodes.done;
    const made = request.engine();
    const apart = start.background === true || made.settings.host === 'background';
    orNoSession(world, made, () => refuseUnasked(made, { background: apart, attended: made.attended }));
    if (!apart) return await runSession(cli, world, made, start.mode).finally(discovered.stop);
    const pid = await hostApart(cli, world, made).finally(discovered.stop);
    await begun(world, made);
    return await watchHosted(cli, world, made.paths, pid, start);
  } finally {
    release();
  }
};

const lookEveryMs = 50;

/** Waits for the first line of the journal, by which another start over the same focus file finds the loop. */
const begun = async (world: World, { paths }: EngineRequest): Promise<void> => {
  while (readFirstLine(world.disk, paths.journal) === null && hostOf(world, paths)?.alive)
    await new Promise<void>((resolve) => void world.clock.after(lookEveryMs, resolve));
};
