import { safeBlock } from '../../base/safe.ts';
import type { ChangesRef } from '../../store/ports/viewer-port.ts';
import { failure, type Subcommand } from '../cli.ts';
import { type SessionOptions, withSession } from '../options.ts';
import type { OpenJournal } from '../session/open-session.ts';

/**
 * `ralph-tui diff [TASK]`: prints git's changes in the files that a task (or all tasks) declares or was seen to
 * change. Prints the commit of a task that was committed.
 */
export const diff: Subcommand = (program, cli) => {
  withSession(
    program
      .command('diff')
      .summary("what changed in a task's files, as git sees it")
      .argument('[task]', 'one task; without it all of them'),
  ).action(
    cli.does(async (task: string | undefined, options: SessionOptions) => {
      const { openJournalOf, requireTask } = await import('../session/open-session.ts');
      const { notInGit, readChanges } = await import('../session/read-changes.ts');
      const session = openJournalOf(cli, options.session);
      if (task !== undefined) requireTask(session, task);
      const wanted = await refOf(session, task ?? null);
      const changes = await readChanges(session.paths.workspace, wanted);
      if (changes.missing !== null)
        throw failure({
          code: 'no-git',
          what: changes.missing.replace(/\.$/, ''),
          where: session.paths.workspace,
          ...(changes.missing === notInGit ? { hint: '`git init` in the workspace lets it compare' } : {}),
        });
      const text = session.world.redact(changes.diff);
      const { files, commit } = wanted;
      if (options.json) cli.printJson({ task: task ?? null, files, commit, diff: text });
      else cli.print(text === '' ? 'no changes that git knows of' : safeBlock(text).trimEnd());
      return 0;
    }),
  );
};

const refOf = async ({ state, events }: OpenJournal, task: string | null): Promise<ChangesRef> => {
  const { createAttemptHistory } = await import('../../store/tasks/attempt-history.ts');
  const { changesRef } = await import('../../store/tasks/select-changes.ts');
  const history = createAttemptHistory();
  for (const event of events) history.take(event);
  return changesRef(state, history, task);
};
