import { isAtStake } from '../../../components/leave/select-quit.ts';
import { callsHere } from '../../../components/needs/select-attention.ts';
import type { Cli } from '../cli.ts';
import type { StartDiscovery } from '../discovery/start-discovery.ts';
import type { World } from '../world.ts';
import type { ShownSession } from './shown-session.ts';

/** The sessions of one screen. Hosted sessions keep running while another one is shown. */
export interface ScreenSessions {
  readonly cli: Cli;
  readonly world: World;
  /** The session the screen opened with. */
  readonly first: ShownSession;
  shown: ShownSession;
  readonly hosted: Set<ShownSession>;
  /** Aborts when the screen closes: no engine starts behind a closed screen. */
  readonly leaving: AbortController;
  /** A session is being started or resumed; there is one at a time. */
  isBeginning: boolean;
  /** Settles once nothing is being started or resumed. */
  begun: Promise<void>;
  /** What was looked at before a start. `isAsked`: its critical findings were shown. */
  discovery: {
    readonly workspace: string;
    readonly running: StartDiscovery | null;
    readonly isAsked?: true;
  } | null;
  /** The conversation that is open over a session; `null` without one. */
  talk: {
    readonly answer: (question: string, answer: string) => string | null;
    readonly leave: () => void;
    /** Settles once its agent has ended and its journal is closed. */
    readonly done: Promise<void>;
  } | null;
  /** Draws a session on the open screen. */
  draw: (target: ShownSession) => void;
}

export const createScreenSessions = (cli: Cli, world: World, first: ShownSession): ScreenSessions => {
  const sessions: ScreenSessions = {
    cli,
    world,
    first,
    shown: first,
    hosted: new Set(),
    leaving: new AbortController(),
    isBeginning: false,
    begun: Promise.resolve(),
    discovery: null,
    talk: null,
    draw: () => {},
  };
  if (first.hosted) host(sessions, first);
  return sessions;
};

/** True for the same session, live or from its journal. */
export const isSame = (one: ShownSession, other: ShownSession): boolean =>
  one === other || (one.paths !== null && one.paths.directory === other.paths?.directory);

/** The workspace of a session; before there is one, the directory of the call. */
export const workspaceOf = ({ cli }: ScreenSessions, target: ShownSession): string =>
  target.paths?.workspace ?? cli.cwd;

/** Shows another session. A session that is not hosted here closes when it leaves the screen. */
export const switchTo = async (sessions: ScreenSessions, next: ShownSession): Promise<void> => {
  const before = sessions.shown;
  sessions.shown = next;
  nameHidden(sessions);
  if (!sessions.leaving.signal.aborted) sessions.draw(next);
  if (!sessions.hosted.has(before)) await before.close();
};

/** Adds a hosted session, to be closed with the screen. A resumed session replaces its old entry. */
export const keepHosted = async (sessions: ScreenSessions, next: ShownSession): Promise<void> => {
  if (!next.hosted) return;
  const old = [...sessions.hosted].filter((each) => isSame(each, next));
  host(sessions, next);
  for (const each of old) {
    sessions.hosted.delete(each);
    if (each !== sessions.shown) await each.close();
  }
};

const host = (sessions: ScreenSessions, target: ShownSession): void => {
  sessions.hosted.add(target);
  target.store.subscribe(() => nameHidden(sessions));
};

/** The screen names hidden hosted sessions when one waits for a decision, and when the person leaves. */
const nameHidden = ({ shown, hosted }: ScreenSessions): void => {
  const hidden = [...hosted]
    .filter((each) => !isSame(each, shown) && isAtStake(each.store.getState()))
    .map((each) => ({ session: each.paths?.session ?? '', calls: callsHere(each.store.getState()) }));
  if (JSON.stringify(hidden) !== JSON.stringify(shown.store.getState().ui.alsoHosted))
    shown.store.act({ type: 'hosting', sessions: hidden });
};

/** Ends what the conversation of this screen started; it can be continued. */
export const leaveTalk = async ({ talk }: ScreenSessions): Promise<void> => {
  talk?.leave();
  await talk?.done;
};
