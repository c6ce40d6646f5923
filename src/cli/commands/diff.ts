import { safeBlock } from '../../base/safe.ts';
import type { ChangesRef } from '../../store/viewer-port.ts';
import { failure, type Subcommand } from '../cli.ts';
import type { OpenSession } from '../open-session.ts';
import { type SessionOptions, withSession } from '../options.ts';

/**
 * `ralph-tui diff [TASK]`: what git sees changed in the files a task declares or was seen to change, or in those of all tasks; of a task that was
 * committed, the commit.
 */
export const diff: Subcommand = (program, cli) => {
  withSession(
    program
      .command('diff')
      .summary("what changed in a task's files, as git sees it")
      .argument('[task]', 'one task; without it all of them'),
  ).action(
    cli.does(async (task: string | undefined, options: SessionOptions) => {
      const { openSession, requireTask } = await import('../open-session.ts');
      const { noCommitYet, readChanges } = await import('../read-changes.ts');
      const session = openSession(cli, options.session);
      if (task !== undefined) requireTask(session, task);
      const wanted = await refOf(session, task ?? null);
      const changes = await readChanges(session.paths.workspace, wanted);
      if (changes.missing !== null)
        throw failure({
          code: 'no-git',
          what: changes.missing.replace(/\.$/, ''),
          where: session.paths.workspace,
          ...(changes.missing === noCommitYet
            ? { mend: 'a repository with at least one commit is needed' }
            : {}),
        });
      const text = session.world.redact(changes.diff);
      const { files, commit } = wanted;
      if (options.json) cli.printJson({ task: task ?? null, files, commit, diff: text });
      else cli.print(text === '' ? 'no changes that git knows of' : safeBlock(text).trimEnd());
      return 0;
    }),
  );
};

const refOf = async ({ state, events }: OpenSession, task: string | null): Promise<ChangesRef> => {
  const { createAttemptBook } = await import('../../store/attempt-book.ts');
  const { changesRef } = await import('../../store/select-changes.ts');
  const book = createAttemptBook();
  for (const event of events) book.take(event);
  return changesRef(state, book, task);
};
