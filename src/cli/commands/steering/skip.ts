import type { Subcommand } from '../../cli.ts';
import { type SessionOptions, withSession } from '../../options.ts';

/** `ralph-tui skip`: completes the session without promoting; the staged files stay. */
export const skip: Subcommand = (program, cli) => {
  withSession(program.command('skip').argument('[message]', 'a comment for the record')).action(
    cli.does(async (message: string | undefined, options: SessionOptions) => {
      const { openWritableSession } = await import('../../session/open-session.ts');
      const { publish } = await import('../../session/publish.ts');
      const { requireGate } = await import('../../session/open-gate.ts');
      const session = openWritableSession(cli, options.session);
      requireGate(session);
      publish(
        cli,
        session,
        { type: 'SKIP', target: 'Orchestrator', ...(message === undefined ? {} : { message }) },
        options.json === true,
      );
      return 0;
    }),
  );
};
