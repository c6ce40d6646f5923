import type { Subcommand } from '../cli.ts';
import { type Flags, flagsOf, withFlags } from '../options.ts';

/**
 * `ralph-tui host DIRECTORY`: hosts a session without a terminal. `--background` and "leave it running" start
 * it, never a person.
 */
export const host: Subcommand = (program, cli) => {
  withFlags(program.command('host', { hidden: true }).argument('<directory>', 'of the session'))
    .option('--source <source>', 'a new session, from the plan kept in its directory')
    .option('--goal <goal>', 'of a new session without a plan')
    .option('--agreed <sha256>', 'the configuration that somebody agreed to')
    .action(
      cli.does(
        async (
          directory: string,
          options: Flags & { readonly source?: string; readonly goal?: string; readonly agreed?: string },
        ): Promise<number> => {
          const { keepMemorySmall } = await import('../host/keep-memory-small.ts');
          keepMemorySmall();
          const { hostInBackground } = await import('../host/host-in-background.ts');
          return hostInBackground(cli, directory, { ...options, flags: flagsOf(options) });
        },
      ),
    );
};
