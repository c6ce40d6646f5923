import { formatFault, toFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { ownLayout } from '../../session/layout.ts';
import { furtherReason } from '../../session/status.ts';
import { stateNameWord } from '../../words/state-words.ts';
import { truncate } from '../../words/width.ts';
import { type Cli, exitCodes, failure, type Subcommand } from '../cli.ts';
import { withJson } from '../options.ts';
import type { SessionHost } from '../session/host-life.ts';
import type { SessionRow } from '../session/list-sessions.ts';

/** Characters: enough to recognise a session. `--json` prints the whole goal. */
const longestGoal = 60;

interface Options {
  readonly json?: boolean;
  readonly all?: boolean;
  readonly runners?: boolean;
}

/** A row with what tells it from those of other workspaces and machines. */
type Row = SessionRow & { readonly workspace?: string; readonly runner?: string };

/** `ralph-tui sessions`: lists every session in this workspace, newest first; of all workspaces, and of other machines. */
export const sessions: Subcommand = (program, cli) => {
  withJson(
    program
      .command('sessions')
      .option('--all', 'sessions in every workspace known on this machine')
      .option('--runners', 'include sessions on every ssh runner; exit with 1 if one cannot be reached'),
  ).action(
    cli.does(async (options: Options) => {
      const { listEverywhere, readSessionRows } = await import('../session/list-sessions.ts');
      const { value, problems } = options.all
        ? { value: listEverywhere(cli), problems: [] }
        : readSessionRows(cli);
      const [unread] = problems;
      const far = options.runners ? await listMachines(cli) : { rows: [], reached: true };
      const rows: readonly Row[] = [...value, ...far.rows];
      if (rows.length === 0 && unread) throw failure(unread);
      if (options.json) cli.printJson(rows);
      else if (rows.length === 0) cli.print('no sessions here; `ralph-tui demo` shows one');
      else await printRows(cli, rows);
      return far.reached ? exitCodes.done : exitCodes.failed;
    }),
  );
};

/** The sessions of all machines, asked at the same time. One that is not reached is named on stderr, and hides no other: the exit code says that the list has gaps. */
const listMachines = async (
  cli: Cli,
): Promise<{ readonly rows: readonly Row[]; readonly reached: boolean }> => {
  const { createWorld } = await import('../world.ts');
  const { acceptedSettings } = await import('../runners/accepted-settings.ts');
  const { farSessions } = await import('../runners/far-sessions.ts');
  const { machinesOf } = await import('../runners/machine.ts');
  const world = createWorld();
  const machines = machinesOf(acceptedSettings(cli, world));
  const lists = await Promise.allSettled(machines.map((machine) => farSessions(cli, world, machine)));
  for (const list of lists)
    if (list.status === 'rejected') cli.note(`ralph-tui: ${safe(formatFault(toFault(list.reason)))}`);
  return {
    rows: lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : [])),
    reached: lists.every(({ status }) => status === 'fulfilled'),
  };
};

const printRows = async (cli: Cli, rows: readonly Row[]): Promise<void> => {
  const { rowWords } = await import('../session/list-sessions.ts');
  const { isDead } = await import('../session/host-life.ts');
  const { formatTable } = await import('../report/table.ts');
  cli.print(
    formatTable(
      rows.map((row) => [
        row.runner === undefined ? row.session_id : safe(`${row.runner}:${row.session_id}`),
        safe(rowWords(row)),
        safe(stateNameWord(row.state)),
        safe(row.progress),
        safe(furtherReason(row.status, row.stop_reason ?? '')),
        row.layout === ownLayout ? '' : safe(row.layout),
        isDead(row.host) || row.host === null ? '' : safe(hostColumn(row.host)),
        ...(rows.some(({ workspace }) => workspace !== undefined) ? [safe(row.workspace ?? '')] : []),
        safe(truncate(row.goal ?? '', longestGoal, '…')),
      ]),
    ),
  );
};

const hostColumn = ({ pid, elsewhere }: SessionHost): string =>
  elsewhere === undefined ? `pid ${pid}` : `elsewhere, ${elsewhere}`;
