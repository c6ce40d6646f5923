import { basename, join } from 'node:path';
import { safeBlock, safeOutput } from '../../base/safe.ts';
import { type Subcommand, usage } from '../cli.ts';
import { type SessionOptions, withSession } from '../options.ts';

interface LogRow {
  readonly task: string;
  readonly attempt: number;
  readonly file: string;
  readonly bytes: number;
  readonly ended: boolean;
}

/** Bytes: enough of a log for a terminal. The path is printed for the rest. */
const shownBytes = 256 * 1024;

/** `ralph-tui logs [TASK]`: lists the logs, or prints a task's newest one. */
export const logs: Subcommand = (program, cli) => {
  withSession(program.command('logs').argument('[task]', 'the task; without one, lists the logs')).action(
    cli.does(async (task: string | undefined, options: SessionOptions) => {
      const { openSession } = await import('../session/open-session.ts');
      const { formatTable } = await import('../report/table.ts');
      const { world, paths, state, host } = openSession(cli, options.session);
      const { disk } = world;
      const names = disk.lstat(paths.logs)?.kind === 'directory' ? disk.readdir(paths.logs) : [];
      const rows = names
        .map((name): LogRow | null => {
          const match = /^(.+)-r(\d+)\.log$/.exec(name);
          if (!match?.[1]) return null;
          const [, subject, attempt] = match;
          const file = join(paths.logs, name);
          return {
            task: subject,
            attempt: Number(attempt),
            file,
            bytes: disk.lstat(file)?.size ?? 0,
            // A killed program left no end event, but nothing writes to the log any more.
            ended:
              host?.alive !== true ||
              ![...state.invocations.values()].some(
                (each) =>
                  each.stage === 'running' &&
                  (each.task ?? each.id) === subject &&
                  (each.attempt ?? 1) === Number(attempt),
              ),
          };
        })
        .filter((row) => row !== null)
        .filter((row) => task === undefined || row.task === task)
        .sort((a, b) => (a.task < b.task ? -1 : a.task > b.task ? 1 : a.attempt - b.attempt));
      if (options.json) {
        cli.printJson(rows);
        return 0;
      }
      if (task === undefined) {
        cli.print(
          rows.length === 0
            ? 'no logs yet'
            : formatTable(
                rows.map((row) => [
                  row.task,
                  `attempt ${row.attempt}`,
                  `${row.bytes} bytes`,
                  basename(row.file),
                ]),
              ),
        );
        return 0;
      }
      const latest = rows.at(-1);
      if (!latest)
        throw usage(`no log for "${task}"`, `\`ralph-tui logs --session ${paths.session}\` lists the logs`);
      const from = Math.max(0, latest.bytes - shownBytes);
      const handle = disk.openRead(latest.file);
      try {
        const text = new TextDecoder().decode(disk.read(handle, from, latest.bytes - from));
        if (from > 0)
          cli.note(`the last ${shownBytes} of ${latest.bytes} bytes; the whole log is in ${latest.file}`);
        cli.print(safeBlock(safeOutput(text)).trimEnd());
      } finally {
        disk.close(handle);
      }
      return 0;
    }),
  );
};
