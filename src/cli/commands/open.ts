import type { Command } from 'commander';
import { safe } from '../../base/safe.ts';
import { type Subcommand, usage } from '../cli.ts';

/** `ralph-tui` without arguments: opens the newest session. Without one it opens the start screen, or prints a welcome. */
export const open: Subcommand = (program, cli) => {
  program
    .command('open', { isDefault: true, hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(
      cli.does(async (words: readonly string[]) => {
        if (words.length > 0) throw await misspelt(program, words);
        const { createWorld } = await import('../world.ts');
        const { sessionNames } = await import('../../session/session-list.ts');
        const { findWorkspace } = await import('../session/find-workspace.ts');
        const world = createWorld();
        const some = sessionNames(world.disk, findWorkspace(cli.cwd)).length > 0;
        if (!some && cli.hasScreen) {
          const { showSessions } = await import('../screen/show-sessions.ts');
          const { showStart } = await import('../screen/start-screen.ts');
          return showSessions(cli, world, showStart(cli, world, cli.cwd));
        }
        if (!some) {
          cli.print(welcome);
          return 0;
        }
        const { openJournalOf } = await import('../session/open-session.ts');
        const { outputMode } = await import('../output-mode.ts');
        const { watchSession } = await import('../launch/watch-session.ts');
        return watchSession(cli, openJournalOf(cli, undefined), outputMode(cli, {}));
      }),
    );
};

/** The error for words that do not begin with a command; suggests the nearest command. */
const misspelt = async (program: Command, words: readonly string[]): Promise<Error> => {
  const names = program.commands.map((command) => command.name());
  const option = words.find((word) => word.startsWith('-'));
  const command = words.find((word) => names.includes(word));
  if (option !== undefined && command !== undefined)
    return usage(
      `"${safe(option)}" must come after the command`,
      `write \`ralph-tui ${command} … ${safe(option)}\``,
    );
  const word = words.find((each) => !each.startsWith('-'));
  if (word === undefined) return usage(`unknown option "${safe(option ?? '')}"`, 'see `ralph-tui --help`');
  const { nearestKey } = await import('../../tasks/nearest-key.ts');
  const near = nearestKey(word, names);
  return usage(`unknown command "${safe(word)}"`, near ? `did you mean ${near}?` : 'see `ralph-tui --help`');
};

const welcome = `There is no session here yet.

  ralph-tui demo               the sample session: no model, no key, no network
  ralph-tui run --plan FILE    run a plan
  ralph-tui run                run this repository's checks, after you have seen and approved them
  ralph-tui init               set this repository up: agents, permissions, checks
  ralph-tui --help             everything else`;
