import { createStore } from '../../../components/create-store.ts';
import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../pipeline/event.ts';
import { evolve } from '../../pipeline/evolve.ts';
import { type Cli, exitCodes } from '../cli.ts';
import type { OutputMode } from '../output-mode.ts';
import { createPlainLog } from '../plain/plain-log.ts';
import { readPreferences } from '../screen/read-preferences.ts';
import { withOutput } from '../session/journal-feed.ts';
import type { OpenJournal } from '../session/open-session.ts';
import { longestGapMs, playInto } from './player.ts';

/** Plays a journal into the same view as a live run, `speed` times as fast. */
export const replaySession = async (
  cli: Cli,
  session: OpenJournal,
  mode: OutputMode,
  speed: number,
): Promise<number> => {
  const { clock } = session.world;
  const events = withOutput(session.world, session.paths, session.events);
  if (mode !== 'screen') {
    const plain = createPlainLog(cli.print);
    await play(clock, events, speed, (event) => (mode === 'json' ? cli.printJson(event) : plain(event))).done;
    return exitCodes.done;
  }
  const { createIssuesPort } = await import('../issues/issues-port.ts');
  const { openScreen } = await import('../screen/screen.tsx');
  const { createIntentPort } = await import('../screen/intent-port.ts');
  const { paths, state } = session;
  const store = createStore({
    clock,
    evolve,
    connection: 'replay',
    canLeaveRunning: true,
    preferences: readPreferences(cli, session.world, paths.workspace, { paths, settings: state.settings }),
  });
  const { preview, viewer } = createIntentPort(
    session.world,
    session.paths,
    () => store.getState().session,
    () => {},
    { env: cli.env },
  );
  const screen = openScreen(cli, {
    store,
    clock,
    port: {
      preview,
      viewer,
      issues: createIssuesPort(cli, session.world, paths.workspace),
      perform: async (intent) => {
        if (intent.type !== 'statistics') return 'a replay cannot be steered';
        const { showStatistics } = await import('../screen/show-statistics.ts');
        return showStatistics(session.world, paths.workspace, store);
      },
    },
    quit: async () => {},
  });
  const stop = playInto(store, clock, events, speed);
  const broken = await screen.gone;
  stop();
  if (broken) throw broken;
  return exitCodes.done;
};

const play = (
  clock: Clock,
  events: readonly Event[],
  speed: number,
  deliver: (event: Event) => void,
): { readonly done: Promise<void>; readonly stop: () => void } => {
  let cancel = (): void => {};
  const done = new Promise<void>((resolve) => {
    const step = (from: number): void => {
      for (let index = from; index < events.length; index += 1) {
        const event = events[index];
        const next = events[index + 1];
        if (event) deliver(event);
        const gap = event && next ? Date.parse(next.at) - Date.parse(event.at) : 0;
        if (gap > 0) {
          cancel = clock.after(Math.min(gap, longestGapMs) / speed, () => step(index + 1));
          return;
        }
      }
      resolve();
    };
    step(0);
  });
  return { done, stop: () => cancel() };
};
