import { type Subcommand, usage } from '../cli.ts';

/** Just `ralph-tui`: the newest session to look at, and where there is none what one can do. */
export const open: Subcommand = (program, cli) => {
  program
    .command('open', { isDefault: true, hidden: true })
    .argument('[words...]')
    .action(
      cli.does(async (words: readonly string[]) => {
        if (words[0] !== undefined) {
          const { nearestKey } = await import('../../tasks/nearest-key.ts');
          const near = nearestKey(
            words[0],
            program.commands.map((command) => command.name()),
          );
          throw usage(
            `unknown command "${words[0]}"`,
            near ? `did you mean ${near}?` : 'see `ralph-tui --help`',
          );
        }
        const { createWorld } = await import('../world.ts');
        const { hasSessions } = await import('../../session/session-list.ts');
        const { findWorkspace } = await import('../find-workspace.ts');
        const world = createWorld();
        const some = hasSessions(world.disk, findWorkspace(cli.cwd));
        if (!some && cli.hasScreen) {
          const { runDeck } = await import('../deck.ts');
          const { showStart } = await import('../set-out.ts');
          return runDeck(cli, world, showStart(cli, world, cli.cwd));
        }
        if (!some) {
          cli.print(welcome);
          return 0;
        }
        const { openSession } = await import('../open-session.ts');
        const { outputMode } = await import('../hosting.ts');
        const { watchSession } = await import('../watch-session.ts');
        return watchSession(cli, openSession(cli, undefined), outputMode(cli, {}));
      }),
    );
};

const welcome = `There is no session here yet.

  ralph-tui demo               the sample session: no model, no key, no network
  ralph-tui run --plan FILE    run a plan
  ralph-tui run                run the checks this repository offers, shown and asked about first
  ralph-tui init               write a first plan.yaml to edit
  ralph-tui --help             everything else`;
