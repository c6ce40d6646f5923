import { type Subcommand, usage } from '../../cli.ts';
import { type SessionOptions, withSession } from '../../options.ts';

interface Options extends SessionOptions {
  readonly now?: boolean;
}

/** `ralph-tui stop [--now]`: sends DRAIN, or ABORT. Writes nothing when no process is running the session. */
export const stop: Subcommand = (program, cli) => {
  withSession(
    program
      .command('stop')
      .argument('[message]', 'a comment for the record')
      .option('--now', 'ABORT instead: stop every agent and end the session'),
  ).action(
    cli.does(async (message: string | undefined, options: Options) => {
      const { openWritableSession } = await import('../../session/open-session.ts');
      const { publish } = await import('../../session/publish.ts');
      const session = openWritableSession(cli, options.session);
      if (!session.host?.alive)
        throw usage(
          `no process is running session ${session.paths.session}, so there is nothing to stop`,
          '`ralph-tui sessions` lists the running sessions',
          'not-running',
        );
      const type = options.now === true ? 'ABORT' : 'DRAIN';
      publish(
        cli,
        session,
        { type, target: 'ALL', ...(message === undefined ? {} : { message }) },
        options.json === true,
      );
      return 0;
    }),
  );
};
