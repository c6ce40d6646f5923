import type { Attempt } from '../../../components/details/attempt-history.ts';
import type { Theme } from '../../../components/draw/theme.ts';
import type { ChangesRef } from '../../../components/ports/viewer-port.ts';
import { encodePath } from '../../base/file-names.io.ts';
import { marked } from '../../base/safe.ts';
import { type Cli, failure, type Subcommand, usage } from '../cli.ts';
import { attemptNumber, type SessionOptions, withSession } from '../options.ts';
import type { OpenJournal } from '../session/open-session.ts';

interface DiffOptions extends SessionOptions {
  readonly attempt?: number;
  readonly stat?: boolean;
}

/**
 * `ralph-tui diff [TASK]`: prints git's changes in the files that a task (or all tasks) declares or was seen to
 * change. Prints the commit of a task that was committed. In colours on a terminal, with hidden characters marked; elsewhere as a patch for
 * `git apply`, byte for byte.
 */
export const diff: Subcommand = (program, cli) => {
  withSession(
    program
      .command('diff')
      .argument('[task]', 'one task (default: all)')
      .option('--attempt <n>', 'one attempt of the task (default: the last one)', attemptNumber)
      .option('--stat', 'only the files, with the number of changed lines in each'),
  ).action(
    cli.does(async (task: string | undefined, options: DiffOptions) => {
      const { openJournalOf, requireTask } = await import('../session/open-session.ts');
      const { notInGit } = await import('../session/read-changes.ts');
      const { readAnyChanges } = await import('../session/changes/read-recorded.ts');
      const session = openJournalOf(cli, options.session);
      if (task !== undefined) requireTask(session, task);
      else if (options.attempt !== undefined)
        throw usage('--attempt needs a task', '`ralph-tui diff TASK --attempt N`');
      const wanted = await refOf(session, task ?? null, options.attempt);
      // A file or a pipe gets what `git apply` takes: every byte as git prints it.
      const exact = cli.stdout.isTTY !== true && options.json !== true && options.stat !== true;
      const changes = await readAnyChanges({ ...session, env: cli.env }, wanted, { exact });
      if (changes.missing !== null)
        throw failure({
          code: 'no-git',
          what: changes.missing.replace(/\.$/, ''),
          where: session.paths.workspace,
          ...(changes.missing === notInGit
            ? { hint: 'run `git init` in the workspace so that changes can be compared' }
            : {}),
        });
      const text = session.world.redact(changes.diff);
      const { files, commit } = wanted;
      if (options.json) {
        const { unmergedReport } = await import('../report/unmerged-report.ts');
        const stat = options.stat ? { changed: changes.files } : { diff: text.toWellFormed() };
        const unmerged =
          task === undefined ? { unmerged: unmergedReport(session, changes.unmerged ?? []) } : {};
        cli.printJson({ task: task ?? null, files, commit, ...stat, ...unmerged });
        return 0;
      }
      if (changes.unmerged?.length) {
        const { unmergedNote } = await import('../report/unmerged-report.ts');
        cli.note(unmergedNote(session, changes.unmerged));
        if (changes.files.length === 0) return 0;
      }
      if (exact) writePatch(cli, changes.diff, text);
      else if (changes.files.length === 0 || (text === '' && !options.stat)) cli.print(noChanges);
      else {
        const { formatStat, paintDiff } = await import('../report/diff-text.ts');
        const theme = await themeOf(cli, session);
        if (options.stat) cli.print(formatStat(changes.files, text, theme));
        else
          cli.print(
            theme === null ? text.trimEnd().split('\n').map(marked).join('\n') : paintDiff(text, theme),
          );
      }
      return 0;
    }),
  );
};

const noChanges = 'git reports no changes';

/** Bytes that are not UTF-8 are lone surrogates in the text, as in `Disk`. */
const writePatch = (cli: Cli, whole: string, redacted: string): void => {
  cli.stdout.write(encodePath(redacted));
  if (whole === '') cli.note(noChanges);
  if (redacted !== whole) cli.note('Secrets were left out, so the patch does not apply in those places.');
};

/** How this terminal shows colours; `null` where the text goes into a file or a pipe. */
const themeOf = async (cli: Cli, { world, paths, state }: OpenJournal): Promise<Theme | null> => {
  if (cli.stdout.isTTY !== true || cli.env['TERM'] === 'dumb') return null;
  const { createTheme } = await import('../../../components/draw/theme.ts');
  const { readPreferences } = await import('../screen/read-preferences.ts');
  const { themeOfTerminal } = await import('../terminal/theme-of-terminal.ts');
  const session = { paths, settings: state.settings };
  return createTheme(themeOfTerminal(cli, readPreferences(cli, world, paths.workspace, session), world.disk));
};

const refOf = async (
  { state, events }: OpenJournal,
  task: string | null,
  number: number | undefined,
): Promise<ChangesRef> => {
  const { createAttemptHistory } = await import('../../../components/details/attempt-history.ts');
  const { changesRef } = await import('../../../components/changes/select-changes.ts');
  const history = createAttemptHistory();
  for (const event of events) history.take(event, null);
  if (task === null || number === undefined) return changesRef(state, history, task);
  const attempts = history.of(task);
  const attempt = attempts.find((each) => each.number === number) ?? unknown(attempts, task, number);
  return { ...changesRef(state, history, task, attempt), of: { task, attempt: number } };
};

const unknown = (attempts: readonly Attempt[], task: string, number: number): never => {
  const last = attempts.at(-1)?.number;
  throw usage(
    `${task} has no attempt ${number}`,
    last === undefined ? 'it has not been tried yet' : `its last attempt is ${last}`,
  );
};
