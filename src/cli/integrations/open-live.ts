import { isComplete } from '../../session/status.ts';
import { type Cli, usage } from '../cli.ts';
import { type OpenSession, openWritableSession } from '../session/open-session.ts';

/** Opens the named session, else the newest one that is not complete. Throws one sentence when there is none, or when it can only be read. */
export const openLive = (cli: Cli, id: string | undefined): OpenSession => {
  const session = openWritableSession(cli, id);
  if (id === undefined && isComplete(session.state))
    throw usage(
      `no session is running in ${session.paths.workspace}: the newest, ${session.paths.session}, has ended`,
      'start one with `ralph-tui`, or name one with --session',
      'no-session',
    );
  return session;
};
