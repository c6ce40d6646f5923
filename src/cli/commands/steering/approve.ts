import { type Subcommand, usage } from '../../cli.ts';
import { type SessionOptions, withSession } from '../../options.ts';

/** `ralph-tui approve [FILES…]`: promotes the staged knowledge, all of it or the named files. */
export const approve: Subcommand = (program, cli) => {
  withSession(
    program
      .command('approve')
      .argument('[files...]', 'files of lessons, as `ralph-tui status` names them')
      .option('--message <text>', 'a comment for the record'),
  ).action(
    cli.does(async (files: readonly string[], options: SessionOptions & { readonly message?: string }) => {
      const { openWritableSession } = await import('../../session/open-session.ts');
      const { publish } = await import('../../session/publish.ts');
      const { requireGate } = await import('../../session/open-gate.ts');
      const session = openWritableSession(cli, options.session);
      const gate = requireGate(session);
      const unknown = files.find((file) => !gate.files.includes(file));
      if (unknown !== undefined)
        throw usage(`no lesson that waits is called "${unknown}"`, `these wait: ${gate.files.join(', ')}`);
      publish(
        cli,
        session,
        {
          type: 'APPROVE',
          target: 'Orchestrator',
          ...(files.length > 0 ? { promote: files } : {}),
          ...(options.message === undefined ? {} : { message: options.message }),
        },
        options.json === true,
      );
      return 0;
    }),
  );
};
