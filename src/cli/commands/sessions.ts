import { safe } from '../../base/safe.ts';
import { truncate } from '../../words/width.ts';
import { failure, type Subcommand } from '../cli.ts';
import { withJson } from '../options.ts';
import type { SessionHost } from '../session/host-life.ts';

/** Characters: enough to recognise a session. `--json` prints the whole goal. */
const longestGoal = 60;

/** `ralph-tui sessions`: lists every session of this workspace, newest first. */
export const sessions: Subcommand = (program, cli) => {
  withJson(program.command('sessions').summary('every session of this workspace')).action(
    cli.does(async (options: { readonly json?: boolean }) => {
      const { readSessionRows, rowWords } = await import('../session/list-sessions.ts');
      const { isDead } = await import('../session/host-life.ts');
      const { formatTable } = await import('../report/table.ts');
      const { value: rows, problems } = readSessionRows(cli);
      const [unread] = problems;
      if (rows.length === 0 && unread) throw failure(unread);
      if (options.json) cli.printJson(rows);
      else if (rows.length === 0) cli.print('no sessions here; `ralph-tui demo` shows one');
      else
        cli.print(
          formatTable(
            rows.map((row) => [
              row.session_id,
              rowWords(row),
              row.state,
              row.progress,
              row.stop_reason === 'failed tasks' ? '' : safe(row.stop_reason ?? ''),
              row.layout,
              isDead(row.host) || row.host === null ? '' : hostColumn(row.host),
              truncate(row.goal ?? '', longestGoal, '…'),
            ]),
          ),
        );
      return 0;
    }),
  );
};

const hostColumn = ({ pid, elsewhere }: SessionHost): string =>
  elsewhere === undefined ? `pid ${pid}` : `elsewhere, ${elsewhere}`;
