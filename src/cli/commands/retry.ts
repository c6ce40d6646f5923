import type { Subcommand } from '../cli.ts';
import { type SessionOptions, withSession } from '../options.ts';

/** `ralph-tui retry TASK [MESSAGE]`: opens a task again, with the message as feedback for the next attempt. */
export const retry: Subcommand = (program, cli) => {
  withSession(
    program
      .command('retry')
      .summary('open a task again, the message is its feedback')
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
        { type: 'RETRY', target: 'ALL', task, ...(message === undefined ? {} : { message }) },
        options.json === true,
      );
      return 0;
    }),
  );
};
