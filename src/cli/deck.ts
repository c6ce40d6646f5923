import { formatTimestamp } from '../base/clock.ts';
import { safe } from '../base/safe.ts';
import { sessionPaths } from '../session/paths.ts';
import type { QuitChoice } from '../store/intent.ts';
import { callsHere } from '../store/select-attention.ts';
import { isAtStake } from '../store/select-quit.ts';
import { startItems, type TrustedIntent } from '../store/setting-out.ts';
import { beginSession, untilNothingIsOpen } from './begin-session.ts';
import { type Cli, exitCodes, usage } from './cli.ts';
import { stopOnSignals } from './hosting.ts';
import { nothingToResume } from './nothing-to-resume.ts';
import { readSession } from './open-session.ts';
import { prepareResume } from './prepare-resume.ts';
import type { Prepared } from './prepared.ts';
import { openScreen, type ScreenOptions, type WorldIntent } from './screen.tsx';
import { prepareStart, sessionChoices, startOverlay } from './set-out.ts';
import { showJournal } from './show-journal.ts';
import type { Showing } from './showing.ts';
import { questionLines, rememberAnswer, trustQuestion } from './trust-question.ts';
import type { EngineWish } from './wire.ts';
import type { World } from './world.ts';

/**
 * One screen and the sessions it shows one after another. What this program hosts stays open while the screen is turned elsewhere, and all of it
 * is closed when the screen goes, however it went. Gives the exit code of the session shown last.
 */
export const runDeck = async (cli: Cli, world: World, first: Showing): Promise<number> => {
  let shown = first;
  const hosted = new Set<Showing>(first.hosted ? [first] : []);

  // What runs unseen is named by the screen when it waits for somebody, and when one leaves.
  const tell = (): void => {
    const { store } = shown;
    const sessions = [...hosted]
      .filter((each) => !isSame(each, shown) && isAtStake(each.store.getState()))
      .map((each) => ({ session: each.paths?.session ?? '', calls: callsHere(each.store.getState()) }));
    if (JSON.stringify(sessions) !== JSON.stringify(store.getState().ui.alsoHosted))
      store.act({ type: 'hosting', sessions });
  };
  for (const each of hosted) each.store.subscribe(tell);

  const turnTo = async (next: Showing): Promise<void> => {
    const before = shown;
    shown = next;
    tell();
    if (!leaving.signal.aborted) screen.show(optionsOf(next));
    if (!hosted.has(before)) await before.close();
  };

  /** Also what is not shown yet goes with the screen. A session that was hosted before and taken up again is the new one. */
  const keep = async (next: Showing): Promise<void> => {
    if (!next.hosted) return;
    const old = [...hosted].filter((each) => isSame(each, next));
    hosted.add(next);
    next.store.subscribe(tell);
    for (const each of old) {
      hosted.delete(each);
      if (each !== shown) await each.close();
    }
  };

  const leaving = new AbortController();
  let isUnderWay = false;
  let settingOut: Promise<void> = Promise.resolve();

  /** One session at a time is begun or taken up. Who opened something over the screen meanwhile is at work there: keys stay with what they see. */
  const setOut = async (from: Showing, wish: EngineWish): Promise<void> => {
    const depth = from.store.getState().ui.overlays.length;
    const say = (text: string): void =>
      from.store.act({ type: 'noticed', notice: { text, tone: 'info', stays: true } });
    isUnderWay = true;
    const begun = beginSession(cli, world, wish, say, leaving.signal).finally(() => {
      isUnderWay = false;
    });
    const next = await begun;
    await keep(next);
    await untilNothingIsOpen(from.store, depth, leaving.signal);
    if (shown === from) await turnTo(next);
    else if (!next.hosted) await next.close();
  };
  const setOutOnce = (from: Showing, wish: EngineWish): Promise<void> => {
    const out = setOut(from, wish);
    settingOut = Promise.allSettled([settingOut, out]).then(() => {});
    return out;
  };

  const workspaceOf = (showing: Showing): string => showing.paths?.workspace ?? cli.cwd;

  const perform = async (from: Showing, intent: WorldIntent): Promise<string | null> => {
    if (isUnderWay && (intent.type === 'resume' || intent.type === 'start' || intent.type === 'show'))
      return 'One moment: a session is being taken up';
    switch (intent.type) {
      case 'resume': {
        const nothing = nothingToResume(world, from);
        if (nothing !== null) return nothing;
        const prepared = resumeOf(cli, world, from);
        if (isAgreed(cli, world, from, intent, prepared)) await setOutOnce(from, prepared.wish());
        return null;
      }
      case 'offer': {
        const before = from.store.getState().ui.overlays.at(-1);
        const overlay = startOverlay(world, workspaceOf(from));
        if (before?.kind !== 'start') {
          from.store.act({ type: 'overlay-opened', overlay });
          return null;
        }
        // Somebody mended a plan meanwhile: what stands there is read again.
        const { cursor, editor } = before;
        from.store.act({ type: 'overlay-closed' });
        from.store.act({ type: 'overlay-opened', overlay: { ...overlay, cursor, editor } });
        const item = startItems(overlay.offers)[cursor];
        if (item?.kind === 'plan' && item.plan.problem !== null) throw new Error(item.plan.problem);
        return 'Read again: it can be started';
      }
      case 'start': {
        const prepared = prepareStart(cli, world, workspaceOf(from), intent.start);
        if (!isAgreed(cli, world, from, intent, prepared)) return null;
        await setOutOnce(from, prepared.wish());
        from.store.act({ type: 'overlay-closed' });
        return null;
      }
      case 'sessions': {
        // What this screen began with and what it hosts is never lost from the list.
        const places = [from, first, ...hosted].map(workspaceOf);
        const rows = sessionChoices(cli, world, places, from.paths?.directory ?? null);
        const cursor = Math.max(
          0,
          rows.findIndex((row) => row.shown),
        );
        from.store.act({ type: 'overlay-opened', overlay: { kind: 'sessions', rows, cursor } });
        return null;
      }
      case 'show': {
        const paths = sessionPaths(intent.workspace, intent.session);
        const open = [...hosted].find((each) => each.paths?.directory === paths.directory);
        await turnTo(open ?? showJournal(cli, readSession(world, paths)));
        return null;
      }
      default:
        return from.port.perform(intent);
    }
  };

  const optionsOf = (showing: Showing): ScreenOptions => ({
    store: showing.store,
    clock: world.clock,
    port: { ...showing.port, perform: (intent) => perform(showing, intent) },
    quit: async (choice) => {
      const meant = [...hosted].find((each) => isSame(each, showing)) ?? showing;
      const others = [...hosted].filter((each) => each !== meant && isAtStake(each.store.getState()));
      // ABORT takes a typed word for one session; the others are only paused.
      const also = choice === 'leave' ? 'leave' : 'pause';
      await Promise.all([
        ...others.map((each) => each.quit(also)),
        ...(meant.hosted || isAtStake(meant.store.getState()) ? [meant.quit(choice)] : []),
      ]);
    },
  });

  const screen = openScreen(cli, optionsOf(first));
  // A signal from outside is no question: stop, save, give the terminal back.
  const ignore = stopOnSignals(cli, {
    quit: async (stop) => {
      await Promise.all(
        [...hosted].map((showing) =>
          stop === 'gone'
            ? showing.quit(onDisconnect(showing), 'quit: the terminal was closed')
            : showing.quit('pause'),
        ),
      );
      screen.close();
    },
  });
  try {
    const broken = await screen.gone;
    // No engine comes up behind a screen that is gone.
    leaving.abort();
    await settingOut;
    if (broken) {
      cli.note(`ralph-tui: the screen broke: ${safe(broken.message)}`);
      await Promise.all(
        [...hosted].map((showing) => showing.quit(onDisconnect(showing), 'quit: the screen broke')),
      );
    }
    const others = [...hosted].filter((showing) => showing !== shown);
    for (const other of others) cli.print((await other.close()).text);
    const ending = await shown.close();
    if (ending.text !== '') cli.print(ending.text);
    return broken ? exitCodes.failed : ending.exitCode;
  } finally {
    ignore();
  }
};

/** What shall become of a session whose screen is gone without a word: `on_disconnect`. */
const onDisconnect = (showing: Showing): QuitChoice => {
  const chosen = showing.store.getState().session?.settings.on_disconnect;
  return chosen === 'background' ? 'leave' : chosen === 'abort' ? 'abort' : 'pause';
};

/** The same session, whichever way it is shown. */
const isSame = (one: Showing, other: Showing): boolean =>
  one === other || (one.paths !== null && one.paths.directory === other.paths?.directory);

/** The session a viewer shows, to be hosted here. The viewer is closed only once the engine runs. */
const resumeOf = (cli: Cli, world: World, { paths, store, flags }: Showing): Prepared => {
  if (paths === null) throw usage('there is no session to resume');
  return prepareResume(cli, world, paths, store.getState().session, {
    attended: true,
    takeOver: false,
    flags,
  });
};

/**
 * Whether what would run is trusted already, or was agreed to just now; else it is asked over what is shown. An answer to what the files said a
 * moment ago is no answer: then it is asked again.
 */
const isAgreed = (
  cli: Cli,
  world: World,
  { store }: Showing,
  { agreed, ...intent }: TrustedIntent,
  { workspace, subjects }: Prepared,
): boolean => {
  const question = trustQuestion(cli.env, world, workspace, subjects);
  if (question === null) return true;
  if (question.digest === agreed) {
    rememberAnswer(cli.env, world, question, formatTimestamp(world.clock));
    return true;
  }
  store.act({
    type: 'overlay-opened',
    overlay: {
      kind: 'trust',
      lines: questionLines(question).map(world.redact),
      top: 0,
      intent: { ...intent, agreed: question.digest },
    },
  });
  return false;
};
