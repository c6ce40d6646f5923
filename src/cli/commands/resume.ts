import { exitCodes, type Subcommand } from '../cli.ts';
import { type Flags, flagsOf, withFlags } from '../options.ts';

interface Options extends Flags {
  readonly headless?: boolean;
  readonly screenReader?: boolean;
  readonly json?: boolean;
  readonly takeOver?: boolean;
  readonly background?: boolean;
  readonly yes?: boolean;
}

/** `ralph-tui resume [ID]`: goes on where a session stopped, whatever stopped it. */
export const resume: Subcommand = (program, cli) => {
  withFlags(
    program
      .command('resume')
      .summary('go on after a stop, a crash or a quit')
      .argument('[id]', 'which session (default: the newest unfinished one)'),
  )
    .option('--headless', 'the plain log, also on a terminal')
    .option('--screen-reader', 'lines to listen to, and words to type, instead of the screen')
    .option('--json', 'one event a line')
    .option('--take-over', 'also from a process of another boot or container that cannot be checked')
    .option('--background', 'go on in a process of its own, without this terminal')
    .option('--yes', 'trust what would run, without being asked')
    .action(
      cli.does(async (id: string | undefined, options: Options) => {
        const { openWritableSession } = await import('../open-session.ts');
        const { outputMode } = await import('../hosting.ts');
        const { agreeTo, mannerOf } = await import('../agree-to.ts');
        const { runSession } = await import('../run-session.ts');
        const { prepareResume } = await import('../prepare-resume.ts');
        const { world, paths, state } = openWritableSession(cli, id);
        const mode = outputMode(cli, options);
        const how = {
          attended: mode === 'screen' || mode === 'reader',
          takeOver: options.takeOver === true,
          flags: flagsOf(options),
        };
        const prepared = prepareResume(cli, world, paths, state, how);
        if (!(await agreeTo(cli, world, prepared, mannerOf(cli, mode, options)))) return exitCodes.done;
        const wish = prepared.wish();
        const background = options.background === true;
        if (background || wish.settings.host === 'background') {
          const { hostApart } = await import('../host-apart.ts');
          const { watchHosted } = await import('../watch-hosted.ts');
          const { untilEnded } = await import('../ending-host.ts');
          await untilEnded(world, wish, (sentence) => cli.note(`ralph-tui: ${sentence}`));
          const pid = await hostApart(cli, world, wish);
          return watchHosted(cli, world, paths, pid, { mode, background, flags: how.flags });
        }
        return runSession(cli, world, wish, mode);
      }),
    );
};
