import { formatTimestamp } from '../../base/clock.ts';
import { safe } from '../../base/safe.ts';
import { sessionPaths } from '../../session/paths.ts';
import { isAtStake } from '../../store/overlays/select-quit.ts';
import { startItems, type TrustedIntent } from '../../store/overlays/start.ts';
import type { QuitChoice } from '../../store/ports/intent.ts';
import { callsHere } from '../../store/signals/select-attention.ts';
import { type Cli, exitCodes, usage } from '../cli.ts';
import { prepareResume } from '../host/prepare-resume.ts';
import type { StartRequest } from '../host/start-request.ts';
import { stopOnSignals } from '../host/stop-on-signals.ts';
import type { EngineRequest } from '../host/wire.ts';
import { nothingToResume } from '../session/nothing-to-resume.ts';
import { readJournalOf } from '../session/open-session.ts';
import { questionLines, rememberAnswer, trustQuestion } from '../trust/trust-question.ts';
import type { World } from '../world.ts';
import { beginSession, untilNothingIsOpen } from './begin-session.ts';
import { openScreen, type ScreenOptions, type WorldIntent } from './screen.tsx';
import { showJournal } from './show-journal.ts';
import type { ShownSession } from './shown-session.ts';
import { offeredAgents, prepareStart, sessionChoices, startOverlay } from './start-screen.ts';

/**
 * One screen and the sessions it shows one after another. Hosted sessions keep running while another one is
 * shown, and all are closed with the screen. Returns the exit code of the session shown last.
 */
export const showSessions = async (cli: Cli, world: World, first: ShownSession): Promise<number> => {
  let shown = first;
  const hosted = new Set<ShownSession>(first.hosted ? [first] : []);

  // The screen names hidden hosted sessions when one waits for a decision, and when the person leaves.
  const tell = (): void => {
    const { store } = shown;
    const sessions = [...hosted]
      .filter((each) => !isSame(each, shown) && isAtStake(each.store.getState()))
      .map((each) => ({ session: each.paths?.session ?? '', calls: callsHere(each.store.getState()) }));
    if (JSON.stringify(sessions) !== JSON.stringify(store.getState().ui.alsoHosted))
      store.act({ type: 'hosting', sessions });
  };
  for (const each of hosted) each.store.subscribe(tell);

  const switchTo = async (next: ShownSession): Promise<void> => {
    const before = shown;
    shown = next;
    tell();
    if (!leaving.signal.aborted) screen.show(optionsOf(next));
    if (!hosted.has(before)) await before.close();
  };

  /** Closing the screen also closes hidden sessions. A resumed session replaces its old entry. */
  const keep = async (next: ShownSession): Promise<void> => {
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
  let beginning: Promise<void> = Promise.resolve();

  /**
   * Begins or resumes one session at a time. Waits until overlays opened meanwhile are closed, so keys reach
   * what the person sees.
   */
  const begin = async (from: ShownSession, request: EngineRequest): Promise<void> => {
    const depth = from.store.getState().ui.overlays.length;
    const say = (text: string): void =>
      from.store.act({ type: 'noticed', notice: { text, tone: 'info', stays: true } });
    isUnderWay = true;
    const begun = beginSession(cli, world, request, say, leaving.signal).finally(() => {
      isUnderWay = false;
    });
    const next = await begun;
    await keep(next);
    await untilNothingIsOpen(from.store, depth, leaving.signal);
    if (shown === from) await switchTo(next);
    else if (!next.hosted) await next.close();
  };
  const beginOnce = (from: ShownSession, request: EngineRequest): Promise<void> => {
    const out = begin(from, request);
    beginning = Promise.allSettled([beginning, out]).then(() => {});
    return out;
  };

  const workspaceOf = (target: ShownSession): string => target.paths?.workspace ?? cli.cwd;

  const perform = async (from: ShownSession, intent: WorldIntent): Promise<string | null> => {
    if (isUnderWay && (intent.type === 'resume' || intent.type === 'start' || intent.type === 'show'))
      return 'One moment: a session is being taken up';
    switch (intent.type) {
      case 'resume': {
        const nothing = nothingToResume(world, from);
        if (nothing !== null) return nothing;
        const startRequest = resumeOf(cli, world, from);
        if (isAgreed(cli, world, from, intent, startRequest)) await beginOnce(from, startRequest.engine());
        return null;
      }
      case 'offer': {
        const before = from.store.getState().ui.overlays.at(-1);
        const here = workspaceOf(from);
        const overlay = startOverlay(world, here, offeredAgents(cli, world, here));
        if (before?.kind !== 'start') {
          from.store.act({ type: 'overlay-opened', overlay });
          return null;
        }
        // Reads the plans again: a person may have fixed one.
        const { cursor, editor } = before;
        from.store.act({ type: 'overlay-closed' });
        from.store.act({ type: 'overlay-opened', overlay: { ...overlay, cursor, editor } });
        const item = startItems(overlay.offers)[cursor];
        if (item?.kind === 'plan' && item.plan.problem !== null) throw new Error(item.plan.problem);
        return 'Read again: it can be started';
      }
      case 'start': {
        const startRequest = prepareStart(cli, world, workspaceOf(from), intent.start);
        if (!isAgreed(cli, world, from, intent, startRequest)) return null;
        await beginOnce(from, startRequest.engine());
        from.store.act({ type: 'overlay-closed' });
        return null;
      }
      case 'sessions': {
        // The list always includes the workspaces of the first, the shown and the hosted sessions.
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
        await switchTo(open ?? showJournal(cli, readJournalOf(world, paths)));
        return null;
      }
      default:
        return from.port.perform(intent);
    }
  };

  const optionsOf = (target: ShownSession): ScreenOptions => ({
    store: target.store,
    clock: world.clock,
    port: { ...target.port, perform: (intent) => perform(target, intent) },
    quit: async (choice) => {
      const meant = [...hosted].find((each) => isSame(each, target)) ?? target;
      const others = [...hosted].filter((each) => each !== meant && isAtStake(each.store.getState()));
      // A typed ABORT is meant for one session; the others are only paused.
      const also = choice === 'leave' ? 'leave' : 'pause';
      await Promise.all([
        ...others.map((each) => each.quit(also)),
        ...(meant.hosted || isAtStake(meant.store.getState()) ? [meant.quit(choice)] : []),
      ]);
    },
  });

  const screen = openScreen(cli, optionsOf(first));
  // A signal from outside asks no question: stop, save, restore the terminal.
  const release = stopOnSignals(cli, {
    quit: async (stop) => {
      await Promise.all(
        [...hosted].map((target) =>
          stop === 'gone'
            ? target.quit(onDisconnect(target), 'quit: the terminal was closed')
            : target.quit('pause'),
        ),
      );
      screen.close();
    },
  });
  try {
    const broken = await screen.gone;
    // No engine starts behind a closed screen.
    leaving.abort();
    await beginning;
    if (broken) {
      cli.note(`ralph-tui: the screen broke: ${safe(broken.message)}`);
      await Promise.all(
        [...hosted].map((target) => target.quit(onDisconnect(target), 'quit: the screen broke')),
      );
    }
    const others = [...hosted].filter((target) => target !== shown);
    for (const other of others) cli.print((await other.close()).text);
    const ending = await shown.close();
    if (ending.text !== '') cli.print(ending.text);
    return broken ? exitCodes.failed : ending.exitCode;
  } finally {
    release();
  }
};

/** The fate of a session whose screen was lost: `on_disconnect`. */
const onDisconnect = (target: ShownSession): QuitChoice => {
  const chosen = target.store.getState().session?.settings.on_disconnect;
  return chosen === 'background' ? 'leave' : chosen === 'abort' ? 'abort' : 'pause';
};

/** True for the same session, live or from its journal. */
const isSame = (one: ShownSession, other: ShownSession): boolean =>
  one === other || (one.paths !== null && one.paths.directory === other.paths?.directory);

/** Prepares to host the session of a viewer here. The viewer closes only once the engine runs. */
const resumeOf = (cli: Cli, world: World, { paths, store, flags }: ShownSession): StartRequest => {
  if (paths === null) throw usage('there is no session to resume');
  return prepareResume(cli, world, paths, store.getState().session, {
    attended: true,
    takeOver: false,
    flags,
  });
};

/**
 * True when everything that would run is trusted or was just accepted. Otherwise opens the trust question. An
 * answer about older contents of the files does not count: the question is asked again.
 */
const isAgreed = (
  cli: Cli,
  world: World,
  { store }: ShownSession,
  { agreed, ...intent }: TrustedIntent,
  { workspace, subjects }: StartRequest,
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
