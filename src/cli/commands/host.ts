import type { Subcommand } from '../cli.ts';
import { type Flags, flagsOf, withFlags } from '../options.ts';

/** `ralph-tui host DIRECTORY`: hosts a session without a terminal; started by `--background` and "leave it running", never by hand. */
export const host: Subcommand = (program, cli) => {
  withFlags(program.command('host', { hidden: true }).argument('<directory>', 'of the session'))
    .option('--source <source>', 'a new session, from the plan kept in its directory')
    .option('--agreed <sha256>', 'the configuration that somebody agreed to')
    .action(
      cli.does(
        async (
          directory: string,
          options: Flags & { readonly source?: string; readonly agreed?: string },
        ): Promise<number> => {
          const { hostInBackground } = await import('../host-in-background.ts');
          return hostInBackground(cli, directory, { ...options, flags: flagsOf(options) });
        },
      ),
    );
};
