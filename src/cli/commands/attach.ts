import type { Subcommand } from '../cli.ts';

/** `ralph-tui attach [ID]`: watches and steers a session that another process runs. */
export const attach: Subcommand = (program, cli) => {
  program
    .command('attach')
    .summary('watch and steer a session that another process runs')
    .argument('[id]', 'which session (default: the newest unfinished one)')
    .option('--headless', 'the plain log, also on a terminal')
    .option('--screen-reader', 'lines to listen to, and words to type, instead of the screen')
    .option('--json', 'one event a line')
    .action(
      cli.does(
        async (
          id: string | undefined,
          options: { readonly headless?: boolean; readonly screenReader?: boolean; readonly json?: boolean },
        ) => {
          const { openSession } = await import('../open-session.ts');
          const { outputMode } = await import('../hosting.ts');
          const { watchSession } = await import('../watch-session.ts');
          return watchSession(cli, openSession(cli, id), outputMode(cli, options));
        },
      ),
    );
};
