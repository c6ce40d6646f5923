import { safe } from '../../../base/safe.ts';
import type { SessionState } from '../../../pipeline/state.ts';
import type { Cli, Subcommand } from '../../cli.ts';
import { type SessionOptions, withSession } from '../../options.ts';

/** Makes a subcommand `NAME TASK [MESSAGE]` that drops one signal about one task. Exit 2 for a task the session does not have. */
export const aboutTask =
  (name: string, type: 'CANCEL' | 'RETRY'): Subcommand =>
  (program, cli) => {
    withSession(program.command(name).argument('<task>').argument('[message]')).action(
      cli.does(async (task: string, message: string | undefined, options: SessionOptions) => {
        const { openWritableSession, requireTask } = await import('../../session/open-session.ts');
        const { publish } = await import('../../session/publish.ts');
        const session = openWritableSession(cli, options.session);
        requireTask(session, task);
        const about = { type, target: 'ALL', task, ...(message === undefined ? {} : { message }) } as const;
        publish(cli, session, about, options.json === true);
        if (type === 'RETRY') await hint(cli, session.state, task);
        return 0;
      }),
    );
  };

/** Opening a task that waits for a failed one changes nothing. The sender learns that at once, not only from the outcome. */
const hint = async (cli: Cli, state: SessionState, task: string): Promise<void> => {
  const { rowsOfSession, retryWords } = await import('../../report/task-rows.ts');
  const row = rowsOfSession(state).find(({ id }) => id === task);
  if (row?.unreachable && row.retry.length > 0)
    cli.note(
      `${safe(task)} is unreachable (${safe(row.unreachable)}): ${safe(retryWords(row, state.session))}`,
    );
};
