import { safe } from '../../base/safe.ts';
import { acceptsFiles } from '../../pipeline/agents/accepts-files.ts';
import { type Cli, Exit, exitCodes } from '../cli.ts';
import type { OpenSession } from './open-session.ts';
import { signAsPerson } from './proof/signal-proof.ts';
import { isHeld, isLifted, resumeLine, sender, sendSignal } from './publish.ts';

/** Throws exit 4 when the session is held and no pending signal lifts the hold: a run without a screen would only wait. */
export const refuseHeld = (session: OpenSession): void => {
  const { hold } = session.state;
  if (hold === null || !isHeld(session)) return;
  const id = session.paths.session;
  throw new Exit(exitCodes.paused, {
    code: 'held',
    what: `session ${id} has been held by ${safe(hold.by)} since ${hold.since}`,
    hint: `\`${resumeLine(session)}\` ends the hold and continues`,
  });
};

/** Puts a RESUME into the mailbox, which the next host reads first. Does nothing for a session that is not held. */
export const liftHold = (env: Cli['env'], session: OpenSession): void => {
  if (session.state.hold === null || isLifted(session)) return;
  const { world, paths } = session;
  const sign = signAsPerson(env, world, paths, sender(), acceptsFiles(session.state));
  sendSignal(session, { type: 'RESUME', target: 'ALL' }, sign);
};
