import { createGit } from '../../changes/git/git.io.ts';
import type { Cli } from '../cli.ts';
import type { OutputMode } from '../output-mode.ts';
import { demoEnd, prepareDemoHero } from '../session/demo-workspace.ts';
import type { World } from '../world.ts';
import { answerItself } from './answer-itself.ts';
import { startFlow } from './start-flow.ts';

/** Takes the three issues of the sample through all phases, in a scratch repository: real commands, no model. `team`: named workers do it. */
export const demoHero = async (cli: Cli, world: World, mode: OutputMode, team = false): Promise<number> => {
  const { workspace, issue, prepared } = prepareDemoHero(createGit(cli.env));
  await prepared();
  const isAlone = mode === 'plain' || mode === 'json';
  try {
    return await startFlow(
      cli,
      world,
      {
        workspace,
        issue,
        only: false,
        team,
        // It shows what a flow can do.
        phases: 'all',
        source: 'demo',
        mode,
        attended: true,
        flags: { permissions: 'edits' },
        ...(isAlone
          ? { observe: (paths) => answerItself(cli, world, paths, mode === 'json' ? () => {} : cli.print) }
          : {}),
      },
      { yes: false, mayAsk: false },
    );
  } finally {
    if (mode !== 'json') cli.print(demoEnd(workspace));
  }
};
