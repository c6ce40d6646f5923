import { spawnSync } from 'node:child_process';
import { safeBlock } from '../../base/safe.ts';
import { failure, type Subcommand } from '../cli.ts';
import { type SessionOptions, withSession } from '../options.ts';

/** `ralph-tui diff [TASK]`: what git sees changed in the files a task declares, or in those of all tasks. */
export const diff: Subcommand = (program, cli) => {
  withSession(
    program
      .command('diff')
      .summary("what changed in a task's files, as git sees it")
      .argument('[task]', 'one task; without it all of them'),
  ).action(
    cli.does(async (task: string | undefined, options: SessionOptions) => {
      const { openSession, requireTask } = await import('../open-session.ts');
      const session = openSession(cli, options.session);
      if (task !== undefined) requireTask(session, task);
      const files = [...session.state.tasks.values()]
        .filter((each) => task === undefined || each.definition.id === task)
        .flatMap((each) => [...each.definition.files, ...each.changed]);
      const unique = [...new Set(files)];
      const text = unique.length === 0 ? '' : gitDiff(session.paths.workspace, unique);
      if (options.json) cli.printJson({ task: task ?? null, files: unique, diff: text });
      else cli.print(text === '' ? 'no changes that git knows of' : safeBlock(text).trimEnd());
      return 0;
    }),
  );
};

/** Hooks, external diff programs and pagers of the repository are not run: it may be a stranger's. */
const gitDiff = (workspace: string, files: readonly string[]): string => {
  const result = spawnSync(
    'git',
    [
      '-c',
      'core.hooksPath=/dev/null',
      '--no-pager',
      'diff',
      '--no-ext-diff',
      '--no-textconv',
      'HEAD',
      '--',
      ...files,
    ],
    { cwd: workspace, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (result.status === 0) return result.stdout;
  throw failure({
    code: 'no-git',
    what: result.error ? 'git cannot be run' : 'git cannot tell what changed',
    where: workspace,
    mend: result.stderr?.trim().split('\n')[0] || 'a repository with at least one commit is needed',
  });
};
