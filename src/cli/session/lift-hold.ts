import { safe } from '../../base/safe.ts';
import { Exit, exitCodes, failure } from '../cli.ts';
import type { OpenSession } from './open-session.ts';
import { isHeld, isLifted, openMailbox, resumeLine, signed } from './publish.ts';

/** Throws exit 4 when the session is held and no pending signal lifts the hold: a run without a screen would only wait. */
export const refuseHeld = (session: OpenSession): void => {
  const { hold } = session.state;
  if (hold === null || !isHeld(session)) return;
  const id = session.paths.session;
  throw new Exit(exitCodes.paused, {
    code: 'held',
    what: `session ${id} is held by ${safe(hold.by)} since ${hold.since}`,
    hint: `\`${resumeLine(session)}\` lifts the hold and goes on`,
  });
};

/** Puts a RESUME into the mailbox, which the next host reads first. Does nothing for a session that is not held. */
export const liftHold = (session: OpenSession): void => {
  if (session.state.hold === null || isLifted(session)) return;
  const published = openMailbox(session).publish(
    signed(session.world, session.state.iteration, { type: 'RESUME', target: 'ALL' }),
  );
  if ('code' in published) throw failure(published);
};
