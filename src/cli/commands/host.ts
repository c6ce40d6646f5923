import { Option } from 'commander';
import { loopPresetSchema } from '../../session/settings/loop-presets.ts';
import type { Subcommand } from '../cli.ts';
import type { HostOptions } from '../host/host-in-background.ts';
import { type Flags, flagsOf, withFlags } from '../options.ts';

/**
 * `ralph-tui host DIRECTORY`: hosts a session without a terminal. `--background` and "leave it running" start
 * it, never a person.
 */
export const host: Subcommand = (program, cli) => {
  withFlags(program.command('host', { hidden: true }).argument('<directory>', 'the directory of the session'))
    .option('--source <source>', 'a new session, from the plan kept in its directory')
    .option('--goal <goal>', 'the goal of a new session without a plan')
    .option('--loop', 'start the new session as a loop')
    .option('--flow <start>', 'start the new session for an issue')
    .option('--focus <file>', 'the file that a new loop works on')
    .addOption(new Option('--preset <name>', 'the limits of a loop').choices(loopPresetSchema.options))
    .option('--agent-files <list>', 'SHA-256 of the accepted files that agents load')
    .option('--agreed <sha256>', 'the accepted configuration')
    .action(
      cli.does(async (directory: string, options: Flags & Omit<HostOptions, 'flags'>): Promise<number> => {
        const { keepMemorySmall } = await import('../host/keep-memory-small.ts');
        keepMemorySmall();
        const { hostInBackground } = await import('../host/host-in-background.ts');
        return hostInBackground(cli, directory, { ...options, flags: flagsOf(options) });
      }),
    );
};
