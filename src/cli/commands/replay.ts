import type { Subcommand } from '../cli.ts';
import { positiveNumber } from '../options.ts';

/** `ralph-tui replay ID`: plays a journal back at its own speed or faster. */
export const replay: Subcommand = (program, cli) => {
  program
    .command('replay')
    .argument('<id>', 'which session')
    .option('--speed <n>', 'playback speed, as a multiple', positiveNumber, 1)
    .option('--headless', 'the plain log, even on a terminal')
    .option('--json', 'one event per line')
    .action(
      cli.does(
        async (
          id: string,
          options: { readonly speed: number; readonly headless?: boolean; readonly json?: boolean },
        ) => {
          const { openJournalOf } = await import('../session/open-session.ts');
          const { outputMode } = await import('../output-mode.ts');
          const { replaySession } = await import('../launch/replay-session.ts');
          return replaySession(cli, openJournalOf(cli, id), outputMode(cli, options), options.speed);
        },
      ),
    );
};
