import { Option } from 'commander';
import { safe } from '../../base/safe.ts';
import { type Cli, exitCodes, type Subcommand, usage } from '../cli.ts';
import { type SessionOptions, withSession } from '../options.ts';
import type { TaskRow } from '../report/task-rows.ts';
import type { OpenSession } from '../session/open-session.ts';

interface PlanOptions extends SessionOptions {
  readonly plan?: string;
}

interface GraphOptions extends PlanOptions {
  readonly waves?: boolean;
  readonly dot?: boolean;
  readonly mermaid?: boolean;
}

/** `ralph-tui tasks`: prints the tasks as a list or as a graph, the ready tasks, and why a task waits. */
export const tasks: Subcommand = (program, cli) => {
  const parent = program.command('tasks');
  withSession(parent.command('list', { isDefault: true }).summary('every task with its status')).action(
    cli.does((options: SessionOptions) => list(cli, options)),
  );
  withSession(
    parent
      .command('ready')
      .summary('the tasks that could start now')
      .option('--plan <file>', 'use a plan file instead of a session'),
  ).action(cli.does((options: PlanOptions) => ready(cli, options)));
  withSession(
    parent
      .command('graph')
      .summary('the task graph as a diagram')
      .option('--plan <file>', 'use a plan file instead of a session')
      .option('--waves', 'as lines, level by level of the graph')
      .addOption(new Option('--dot', 'for Graphviz').conflicts(['mermaid', 'waves', 'json']))
      .addOption(new Option('--mermaid', 'for Mermaid').conflicts(['waves', 'json'])),
  ).action(cli.does((options: GraphOptions) => graph(cli, options)));
  withSession(parent.command('why').summary('why a task is not running').argument('<task>')).action(
    cli.does((task: string, options: SessionOptions) => why(cli, task, options)),
  );
};

const rowsOf = async (cli: Cli, options: PlanOptions): Promise<readonly TaskRow[]> => {
  const { rowsOfPlan, rowsOfSession } = await import('../report/task-rows.ts');
  if (options.plan !== undefined) {
    const { readPlanFile } = await import('../session/plan-source.ts');
    return rowsOfPlan(readPlanFile(cli, options.plan), options.plan);
  }
  const { openSession } = await import('../session/open-session.ts');
  return rowsOfSession(openSession(cli, options.session).state);
};

const list = async (cli: Cli, options: SessionOptions): Promise<number> => {
  const rows = await rowsOf(cli, options);
  if (options.json) {
    cli.printJson(rows.map(({ ready: _ready, wave: _wave, reason: _reason, ...row }) => row));
    return exitCodes.done;
  }
  const { formatTable } = await import('../report/table.ts');
  cli.print(
    rows.length === 0
      ? 'no tasks yet'
      : formatTable(
          rows.map((row) => [
            row.status,
            safe(row.id),
            row.attempt > 0 ? `attempt ${row.attempt}` : '',
            safe(row.title),
            note(row),
          ]),
        ),
  );
  return exitCodes.done;
};

const note = (row: TaskRow): string => {
  if (row.unreachable !== null) return `unreachable: ${safe(row.unreachable)}`;
  if (row.status === 'open' && row.waitingFor.length > 0)
    return `waits for ${row.waitingFor.map(safe).join(', ')}`;
  return row.reason === null ? '' : safe(row.reason);
};

const ready = async (cli: Cli, options: PlanOptions): Promise<number> => {
  const ids = (await rowsOf(cli, options)).filter((row) => row.ready).map((row) => row.id);
  if (options.json) cli.printJson(ids);
  else for (const id of ids) cli.print(safe(id));
  return exitCodes.done;
};

/** Columns of a drawing that goes into a file or a pipe. */
const pageColumns = 120;

const graph = async (cli: Cli, options: GraphOptions): Promise<number> => {
  const rows = await rowsOf(cli, options);
  if (!options.json && !options.waves && rows.length > 0) {
    const { dotOf, drawTasks, mermaidOf } = await import('../report/draw-tasks.ts');
    const columns = cli.stdout.isTTY ? cli.stdout.columns : pageColumns;
    const lines = options.dot
      ? dotOf(rows)
      : options.mermaid
        ? mermaidOf(rows)
        : drawTasks(rows, { columns, ascii: cli.ascii });
    if (lines !== null) {
      for (const line of lines) cli.print(line);
      return exitCodes.done;
    }
    cli.note(
      `The graph of ${rows.length} tasks does not fit in ${columns} columns, so its levels are shown instead.`,
    );
  }
  const waves = [...Map.groupBy(rows, (row) => row.wave)].sort(([a], [b]) => a - b);
  if (options.json) {
    cli.printJson(
      waves.map(([wave, members]) => ({
        wave,
        tasks: members.map(({ id, status, blockedBy }) => ({ id, status, blockedBy })),
      })),
    );
    return exitCodes.done;
  }
  for (const [wave, members] of waves) {
    cli.print(`level ${wave}`);
    for (const row of members)
      cli.print(
        `  ${row.status.padEnd(9)} ${safe(row.id)}${row.blockedBy.length > 0 ? `  ← ${row.blockedBy.map(safe).join(', ')}` : ''}`,
      );
  }
  return exitCodes.done;
};

/** The reasons that keep the whole session, and with it any task that could run or does. */
const standstill = (
  session: OpenSession,
  { status, unreachable }: TaskRow,
  goOn: (session: OpenSession) => string,
): readonly string[] => {
  const { state, host, layout, paths } = session;
  if (!['open', 'running', 'review'].includes(status) || unreachable !== null || !layout.ours) return [];
  if (host?.elsewhere !== undefined && !host.alive)
    return [`it is unknown whether the session's host is running: ${host.elsewhere}`];
  if (host?.alive !== true) return [`no process is running the session: \`${goOn(session)}\` continues it`];
  return state.hold === null
    ? []
    : [`the session is held: \`ralph-tui signal RESUME --session ${paths.session}\` ends the hold`];
};

const why = async (cli: Cli, task: string, options: SessionOptions): Promise<number> => {
  const { openSession } = await import('../session/open-session.ts');
  const { reasonsFor, rowsOfSession } = await import('../report/task-rows.ts');
  const { resumeLine } = await import('../session/publish.ts');
  const session = openSession(cli, options.session);
  const rows = rowsOfSession(session.state);
  const row = rows.find((each) => each.id === task);
  if (!row)
    throw usage(
      `no task "${safe(task)}" in this session`,
      `tasks: ${rows.map((each) => safe(each.id)).join(', ') || 'not planned yet'}`,
    );
  const reasons = [...reasonsFor(row, rows, session.paths.session), ...standstill(session, row, resumeLine)];
  if (options.json) cli.printJson({ id: row.id, status: row.status, reasons });
  else {
    cli.print(
      `${safe(row.id)} ${row.status === 'failed' ? 'failed' : `is ${row.status === 'review' ? 'in review' : row.status}`}`,
    );
    for (const reason of reasons) cli.print(`  ${safe(reason)}`);
  }
  return exitCodes.done;
};
