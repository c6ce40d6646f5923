import { type Cli, exitCodes } from '../cli.ts';
import { hostApart } from '../host/host-apart.ts';
import { type GoalStart, prepareGoal } from '../host/prepare-goal.ts';
import { type PlanStart, preparePlan } from '../host/prepare-plan.ts';
import { refuseUnasked } from '../host/refuse-unasked.ts';
import { readJournalOf } from '../session/open-session.ts';
import { agreeTo, type Consent } from '../trust/ask-trust.ts';
import type { World } from '../world.ts';
import { besideOthers } from './beside-others.ts';
import { type Discovering, discoverFirst } from './discover-first.ts';
import { offerInstall } from './offer-install.ts';
import { orNoSession } from './or-no-session.ts';
import { runSession } from './run-session.ts';
import { watchHosted } from './watch-hosted.ts';
import { watchSession } from './watch-session.ts';

/** Starts a new session for a plan or a goal once the trust question is settled, here or in a process of its own. */
export const startNew = async (
  cli: Cli,
  world: World,
  start: PlanStart | GoalStart,
  how: Consent,
  look: Discovering = { discovery: false, despiteCritical: false },
): Promise<number> => {
  const startRequest = await offerInstall(cli, how, () =>
    'goal' in start ? prepareGoal(cli, world, start) : preparePlan(cli, world, start),
  );
  const beside = await besideOthers(cli, world, start, how);
  if (beside.kind === 'leave') return exitCodes.done;
  if (beside.kind === 'attach')
    return watchSession(cli, readJournalOf(world, beside.to.paths), start.mode, start.flags ?? {});
  if (!(await agreeTo(cli, world, startRequest, how))) return exitCodes.done;
  const discovered = await discoverFirst(cli, world, startRequest, how, look);
  if (discovered.kind === 'stay') return exitCodes.done;
  const request = startRequest.engine();
  const apart = start.background === true || request.settings.host === 'background';
  orNoSession(world, request, () =>
    refuseUnasked(request, { background: apart, attended: request.attended }),
  );
  if (!apart) return runSession(cli, world, request, start.mode).finally(discovered.stop);
  const pid = await hostApart(cli, world, request).finally(discovered.stop);
  return watchHosted(cli, world, request.paths, pid, start);
};
