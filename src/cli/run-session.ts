import type { Cli } from './cli.ts';
import { untilEnded } from './ending-host.ts';
import { host, type OutputMode } from './hosting.ts';
import { summary } from './summary.ts';
import { type EngineWish, wireEngine } from './wire.ts';
import type { World } from './world.ts';

/** Runs a session in this program, shown in `mode`; gives the exit code when everything is on disk. */
export const runSession = async (
  cli: Cli,
  world: World,
  wish: EngineWish,
  mode: OutputMode,
): Promise<number> => {
  await untilEnded(world, wish, (sentence) => cli.note(`ralph-tui: ${sentence}`));
  if (mode === 'screen') {
    const { runDeck } = await import('./deck.ts');
    const { showLive } = await import('./show-live.ts');
    return runDeck(cli, world, await showLive(cli, world, wish));
  }
  const engine = wireEngine(cli, world, wish);
  const { listen } = await import('./screen-reader.ts');
  const deaf =
    mode === 'reader' ? listen(cli, wish.paths.session, { leave: () => void engine.quit('quit') }) : () => {};
  const end = await host(cli, engine, mode).finally(deaf);
  if (mode !== 'json') cli.print(summary(wish, end, engine.state()));
  return end.exitCode;
};
