import type { Subcommand } from '../../cli.ts';

/** `ralph-tui statistics`: what the journals of all sessions of the workspace say together. */
export const statistics: Subcommand = (program, cli) => {
  program
    .command('statistics')
    .summary('what all sessions of this workspace say together')
    .option('--json', 'the numbers as JSON: durations in milliseconds')
    .action(
      cli.does(async (options: { readonly json?: boolean }) => {
        const { readStatistics } = await import('../../report/read-statistics.ts');
        const { formatStatistics } = await import('../../report/format-statistics.ts');
        const { found, foreign } = readStatistics(cli);
        if (options.json) cli.printJson({ ...found, without_journal: foreign });
        else {
          cli.print(formatStatistics(found));
          if (foreign > 0)
            cli.note(
              `${foreign} ${foreign === 1 ? 'session has' : 'sessions have'} no journal and ${foreign === 1 ? 'is' : 'are'} left out.`,
            );
        }
        return 0;
      }),
    );
};
