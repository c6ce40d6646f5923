import type { Subcommand } from '../cli.ts';

/** `ralph-tui attach [ID]`: watches and steers a session that another process runs. */
export const attach: Subcommand = (program, cli) => {
  program
    .command('attach')
    .argument('[id]', 'which session (default: the newest unfinished one), or one on a runner: gpu:ID')
    .option('--headless', 'the plain log, even on a terminal')
    .option('--screen-reader', 'plain lines for a screen reader, and typed commands instead of keys')
    .option('--json', 'one event per line')
    .action(
      cli.does(
        async (
          id: string | undefined,
          options: { readonly headless?: boolean; readonly screenReader?: boolean; readonly json?: boolean },
        ) => {
          const { openJournalOf } = await import('../session/open-session.ts');
          const { outputMode } = await import('../output-mode.ts');
          const { parseFarName } = await import('../runners/far-words.ts');
          const far = id === undefined ? null : parseFarName(id);
          if (far !== null) return (await import('../launch/watch-far.ts')).watchFar(cli, far);
          const { watchSession } = await import('../launch/watch-session.ts');
          return watchSession(cli, openJournalOf(cli, id), outputMode(cli, options));
        },
      ),
    );
};
