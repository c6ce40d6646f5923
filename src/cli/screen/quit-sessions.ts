import { isAtStake } from '../../../components/leave/select-quit.ts';
import type { QuitChoice } from '../../../components/ports/intent.ts';
import { exitCodes } from '../cli.ts';
import type { Staying } from '../host/stay-without-terminal.ts';
import type { Stop } from '../host/stop-on-signals.ts';
import { isSame, type ScreenSessions } from './screen-sessions.ts';
import type { Ending, ShownSession } from './shown-session.ts';

/** Obeys the choice of a person who leaves while `target` is shown. */
export const quitByChoice = async (
  { hosted }: ScreenSessions,
  target: ShownSession,
  choice: QuitChoice,
): Promise<void> => {
  const meant = [...hosted].find((each) => isSame(each, target)) ?? target;
  const others = [...hosted].filter((each) => each !== meant && isAtStake(each.store.getState()));
  // A typed ABORT is meant for one session; the others are only paused.
  const also = choice === 'leave' ? 'leave' : 'pause';
  await Promise.all([
    ...others.map((each) => each.quit(also)),
    ...(meant.hosted || isAtStake(meant.store.getState()) ? [meant.quit(choice)] : []),
  ]);
};

/** A signal from outside asks no question: it pauses. A lost terminal does what `on_disconnect` says. */
export const quitOnSignal = async (sessions: ScreenSessions, stop: Stop): Promise<void> => {
  if (stop === 'gone') await quitDisconnected(sessions, 'quit: the terminal was closed');
  else await Promise.all([...sessions.hosted].map((each) => each.quit('pause')));
};

/** Does with every hosted session what its `on_disconnect` says. */
export const quitDisconnected = async ({ hosted }: ScreenSessions, reason: string): Promise<void> => {
  await Promise.all([...hosted].map((each) => each.quit(onDisconnect(each), reason)));
};

const onDisconnect = ({ store }: ShownSession): QuitChoice => {
  const chosen = store.getState().session?.settings.on_disconnect;
  return chosen === 'background' ? 'leave' : chosen === 'abort' ? 'abort' : 'pause';
};

/** Closes all sessions and prints their last words, those of the shown one last. Returns its exit code, and the sessions that continue here. */
export const closeSessions = async (
  { cli, hosted, shown }: ScreenSessions,
  broken: boolean,
): Promise<{ readonly exitCode: number; readonly staying: readonly Staying[] }> => {
  const others = [...hosted].filter((each) => each !== shown);
  const endings: Ending[] = [];
  for (const each of [...others, shown]) {
    const ending = await each.close();
    endings.push(ending);
    if (ending.text !== '') cli.print(ending.text);
  }
  return {
    exitCode: broken ? exitCodes.failed : (endings.at(-1)?.exitCode ?? exitCodes.done),
    staying: endings.flatMap(({ staying }) => staying ?? []),
  };
};
