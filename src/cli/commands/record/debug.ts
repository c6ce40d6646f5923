import { type Cli, exitCodes, type Subcommand, usage } from '../../cli.ts';

interface CollateOptions {
  readonly since?: string;
  readonly dryRun?: boolean;
  readonly tracker?: boolean;
  readonly json?: boolean;
}

interface StatsOptions {
  readonly since?: string;
  readonly by: string;
  readonly json?: boolean;
}

const groups = ['tool', 'category', 'day', 'agent'];

/** `ralph-tui debug`: what the debug logs of RALPH_DEBUG=true say together. */
export const debug: Subcommand = (program, cli) => {
  const parent = program.command('debug');
  parent
    .command('collate')
    .summary('group the errors from all logs, and keep one record for each')
    .option('--since <time>', 'only errors newer than this, such as 24h')
    .option('--dry-run', 'write nothing')
    .option(
      '--tracker',
      'create an issue labelled debug-auto for each new error, and comment on it when the error was seen again',
    )
    .option('--json', 'the errors as JSON')
    .action(cli.does((options: CollateOptions) => runCollate(cli, options)));
  parent
    .command('stats')
    .summary('calls, errors and durations')
    .option('--since <time>', 'only calls newer than this, such as 7d')
    .option('--by <group>', `by ${groups.join(', ')}`, 'tool')
    .option('--json', 'the numbers as JSON: durations in milliseconds')
    .action(cli.does((options: StatsOptions) => runStats(cli, options)));
};

const runCollate = async (cli: Cli, options: CollateOptions): Promise<number> => {
  const { collateLogs } = await import('../../report/debug-report.ts');
  const { formatErrors } = await import('../../report/format-debug.ts');
  const found = collateLogs(cli, await sinceOf(options.since), options.dryRun === true);
  const made = options.tracker === true ? await makeIssues(cli, found.all, options.dryRun === true) : [];
  if (options.json) cli.printJson({ ...found, issues: made });
  else {
    cli.print(formatErrors(found));
    for (const line of made) cli.print(line);
  }
  tellSkipped(cli, found);
  return exitCodes.done;
};

const runStats = async (cli: Cli, options: StatsOptions): Promise<number> => {
  const { statsOfLogs } = await import('../../report/debug-report.ts');
  const { statsGroups } = await import('../../../observability/debug/debug-stats.ts');
  const { formatCalls } = await import('../../report/format-debug.ts');
  const by = statsGroups.find((group) => group === options.by);
  if (by === undefined) throw usage(`cannot group by "${options.by}"`, `--by takes ${groups.join(', ')}`);
  const found = statsOfLogs(cli, await sinceOf(options.since), by);
  if (options.json) cli.printJson(found);
  else cli.print(formatCalls(found.calls));
  tellSkipped(cli, found);
  return exitCodes.done;
};

/** Milliseconds before now; `null` for all logs. */
const sinceOf = async (text: string | undefined): Promise<number | null> => {
  if (text === undefined) return null;
  const { parseDuration } = await import('../../../tasks/duration.ts');
  const ms = /\d$/.test(text) ? null : parseDuration(text);
  if (ms === null || ms === 0)
    throw usage(`--since "${text}" is not a duration`, 'use a value such as 30m, 24h or 7d');
  return ms;
};

const makeIssues = async (
  cli: Cli,
  errors: Parameters<typeof import('../../issues/debug-issues.ts').makeDebugIssues>[1],
  dryRun: boolean,
): Promise<readonly string[]> => {
  const { makeDebugIssues } = await import('../../issues/debug-issues.ts');
  return makeDebugIssues(cli, errors, dryRun);
};

const tellSkipped = (
  cli: Cli,
  { foreign_files, foreign_lines }: { readonly foreign_files: number; readonly foreign_lines: number },
): void => {
  if (foreign_files > 0)
    cli.note(
      `Skipped ${foreign_files === 1 ? '1 JSONL file that is not a debug log' : `${foreign_files} JSONL files that are not debug logs`}.`,
    );
  if (foreign_lines > 0)
    cli.note(
      `Skipped ${foreign_lines === 1 ? '1 line that is not a record' : `${foreign_lines} lines that are not records`}.`,
    );
};
