import type { Subcommand } from '../cli.ts';
import { type SessionOptions, withSession } from '../options.ts';

/** A subcommand `NAME TASK [MESSAGE]` that drops one signal about one task; exit 2 for a task the session does not have. */
export const aboutTask =
  (name: string, type: 'CANCEL' | 'RETRY', summary: string): Subcommand =>
  (program, cli) => {
    withSession(program.command(name).summary(summary).argument('<task>').argument('[message]')).action(
      cli.does(async (task: string, message: string | undefined, options: SessionOptions) => {
        const { openWritableSession, requireTask } = await import('../open-session.ts');
        const { publish } = await import('../publish.ts');
        const session = openWritableSession(cli, options.session);
        requireTask(session, task);
        const about = { type, target: 'ALL', task, ...(message === undefined ? {} : { message }) } as const;
        publish(cli, session, about, options.json === true);
        return 0;
      }),
    );
  };
