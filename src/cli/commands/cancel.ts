import type { Subcommand } from '../cli.ts';
import { type SessionOptions, withSession } from '../options.ts';

/** `ralph-tui cancel TASK`: stops one task and marks it cancelled; the session goes on. */
export const cancel: Subcommand = (program, cli) => {
  withSession(
    program
      .command('cancel')
      .summary('stop one task; the session goes on')
      .argument('<task>')
      .argument('[message]'),
  ).action(
    cli.does(async (task: string, message: string | undefined, options: SessionOptions) => {
      const { openWritableSession, requireTask } = await import('../open-session.ts');
      const { publish } = await import('../publish.ts');
      const session = openWritableSession(cli, options.session);
      requireTask(session, task);
      publish(
        cli,
        session,
        { type: 'CANCEL', target: 'ALL', task, ...(message === undefined ? {} : { message }) },
        options.json === true,
      );
      return 0;
    }),
  );
};
