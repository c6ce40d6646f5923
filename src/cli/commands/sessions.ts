import { safe } from '../../base/safe.ts';
import type { Subcommand } from '../cli.ts';
import { withJson } from '../options.ts';

/** `ralph-tui sessions`: every session of this workspace, newest first. */
export const sessions: Subcommand = (program, cli) => {
  withJson(program.command('sessions').summary('every session of this workspace')).action(
    cli.does(async (options: { readonly json?: boolean }) => {
      const { listSessions } = await import('../list-sessions.ts');
      const { formatTable } = await import('../table.ts');
      const rows = listSessions(cli);
      if (options.json) cli.printJson(rows);
      else if (rows.length === 0) cli.print('no sessions here; `ralph-tui demo` shows one');
      else
        cli.print(
          formatTable(
            rows.map((row) => [
              row.session_id,
              row.status.replaceAll('_', ' '),
              row.state,
              row.progress,
              safe(row.stop_reason ?? ''),
              row.layout,
              row.host?.alive ? `pid ${row.host.pid}` : '',
            ]),
          ),
        );
      return 0;
    }),
  );
};
