import type { Cli } from '../cli.ts';
import { untilEnded } from '../host/ending-host.ts';
import type { EngineRequest } from '../host/wire.ts';
import type { World } from '../world.ts';
import { type KnownJournal, openLive } from './live-session.ts';
import { showSessions } from './show-sessions.ts';

/** Draws the session, then starts its engine. A session that cannot start closes the screen and throws its fault. */
export const runOnScreen = (
  cli: Cli,
  world: World,
  request: EngineRequest,
  known?: KnownJournal,
): Promise<number> => {
  const live = openLive(cli, world, request, known);
  const tell = (text: string): void =>
    live.store.act({ type: 'noticed', notice: { text, tone: 'info', stays: true } });
  return showSessions(cli, world, live, async (leaving) => {
    await untilEnded(world, request, tell, leaving);
    await live.start(leaving);
  });
};
