import { exitCodes, type Subcommand } from '../cli.ts';
import { type Flags, flagsOf, withFlags } from '../options.ts';

interface Options extends Flags {
  readonly headless?: boolean;
  readonly screenReader?: boolean;
  readonly json?: boolean;
  readonly takeOver?: boolean;
  readonly background?: boolean;
  readonly yes?: boolean;
  readonly lift?: boolean;
}

/** `ralph-tui resume [ID]`: continues a stopped session, whatever stopped it. */
export const resume: Subcommand = (program, cli) => {
  withFlags(program.command('resume').argument('[id]', 'which session (default: the newest unfinished one)'))
    .option('--headless', 'the plain log, even on a terminal')
    .option('--screen-reader', 'plain lines for a screen reader, and typed commands instead of keys')
    .option('--json', 'one event per line')
    .option('--take-over', 'take over even from a process that cannot be checked (another boot or container)')
    .option('--background', 'continue in the background, without this terminal')
    .option('--lift', 'end the hold of a paused session')
    .option('--yes', 'trust what would run, without asking')
    .action(
      cli.does(async (id: string | undefined, options: Options) => {
        const { keepMemorySmall } = await import('../host/keep-memory-small.ts');
        keepMemorySmall();
        const { openWritableJournal, openWritableSession } = await import('../session/open-session.ts');
        const { outputMode } = await import('../output-mode.ts');
        const { consentHere } = await import('../launch/consent-here.ts');
        const { agreeTo } = await import('../trust/ask-trust.ts');
        const { runSession } = await import('../launch/run-session.ts');
        const { prepareResume } = await import('../host/prepare-resume.ts');
        const { liftHold, refuseHeld } = await import('../session/lift-hold.ts');
        const mode = outputMode(cli, options);
        // Only a screen shows past events. Without one a host would keep them all in memory.
        const journal = mode === 'screen' ? openWritableJournal(cli, id) : undefined;
        const session = journal ?? openWritableSession(cli, id);
        const { world, paths, state } = session;
        // A screen shows the hold and asks. Without one the session would wait forever in silence.
        if (options.lift !== true && mode !== 'screen' && mode !== 'reader') refuseHeld(session);
        const how = {
          attended: mode === 'screen' || mode === 'reader',
          takeOver: options.takeOver === true,
          flags: flagsOf(options),
        };
        const startRequest = prepareResume(cli, world, paths, state, how);
        if (!(await agreeTo(cli, world, startRequest, consentHere(cli, mode, options))))
          return exitCodes.done;
        if (options.lift === true) liftHold(cli.env, session);
        const request = startRequest.engine();
        const background = options.background === true;
        if (background || request.settings.host === 'background') {
          const { hostApart } = await import('../host/host-apart.ts');
          const { watchHosted } = await import('../launch/watch-hosted.ts');
          const { untilEnded } = await import('../host/ending-host.ts');
          await untilEnded(world, request, (sentence) => cli.note(`ralph-tui: ${sentence}`));
          const pid = await hostApart(cli, world, request);
          return watchHosted(cli, world, paths, pid, { mode, background, flags: how.flags });
        }
        return runSession(cli, world, request, mode, journal);
      }),
    );
};
