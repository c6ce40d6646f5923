import type { Subcommand } from '../../cli.ts';

/** `ralph-tui statistics`: what the journals of all sessions of the workspace say together. */
export const statistics: Subcommand = (program, cli) => {
  program
    .command('statistics')
    .option('--json', 'the numbers as JSON: durations in milliseconds')
    .action(
      cli.does(async (options: { readonly json?: boolean }) => {
        const { readStatistics } = await import('../../report/read-statistics.ts');
        const { formatStatistics, leftOut } = await import('../../report/format-statistics.ts');
        const { createWorld } = await import('../../world.ts');
        const { findWorkspace } = await import('../../session/find-workspace.ts');
        const { found, foreign, conversations } = await readStatistics(createWorld(), findWorkspace(cli.cwd));
        if (options.json) cli.printJson({ ...found, conversations, without_journal: foreign });
        else {
          cli.print(formatStatistics(found, conversations));
          if (foreign > 0) cli.note(leftOut(foreign));
        }
        return 0;
      }),
    );
};
