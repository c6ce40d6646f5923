import { safe } from '../../src/base/safe.ts';
import { workedUntil } from '../../src/pipeline/evolve/waiting.ts';
import { type TimeLeft, timeLeft } from '../../src/pipeline/scheduling/time-left.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { isComplete } from '../../src/session/status.ts';
import { timeWords } from '../../src/words/left-words.ts';
import { formatElapsed, formatRunning, type LocalTime } from '../../src/words/local-time.ts';
import { shortUsage } from '../../src/words/usage-words.ts';
import { type LoopProgress, selectLoop } from '../loop/select-loop.ts';
import { selectNeeds } from '../needs/select-needs.ts';
import { selectFenceGaps } from '../tasks/select-runners.ts';
import { selectTasks } from '../tasks/select-tasks.ts';
import type { ViewState } from '../view.ts';
import { replayWords } from './replay.ts';

export interface Header {
  readonly session: string;
  readonly goal: string;
  readonly iteration: number;
  /** `null` without tasks, and in a loop without boxes: nobody knows its turns before. */
  readonly progress: Progress | null;
  readonly elapsed: string;
  /** How long the work on the tasks still takes; `null` where nothing is known. */
  readonly left: Left | null;
  /** What agents used so far: "$0.42", else "45.2k tokens"; '' if they reported nothing. */
  readonly used: string;
  readonly permissions: string;
  /** What the fences do not hold in which agents work now; '' without a fence. */
  readonly unfenced: string;
  readonly executors: number;
  /** "replay", "attached", "stopped", "attached @gpu" for a session of another machine, or '' for a live run. */
  readonly connection: string;
  readonly needs: number;
  /** The progress of a loop; `null` in another mode. */
  readonly loop: LoopProgress | null;
}

/** "about 12 min left" or "4 to 9 min left", and the task that decides it; '' for none. */
export interface Left {
  readonly words: string;
  readonly task: string;
}

/** How many tasks are done, and how many failed for good; of a loop, how many boxes of its focus file are ticked. */
export interface Progress {
  readonly of: 'tasks' | 'boxes';
  readonly done: number;
  readonly failed: number;
  readonly total: number;
}

const progressOf = (view: ViewState): Progress | null => {
  const loop = view.session?.loop ?? null;
  if (loop !== null) {
    const { done, open } = loop.looks.at(-1)?.focus ?? { done: 0, open: 0 };
    return done + open === 0 ? null : { of: 'boxes', done, failed: 0, total: done + open };
  }
  const { done, failed, total } = selectTasks(view);
  return total === 0 ? null : { of: 'tasks', done, failed, total };
};

/** No session yet, and none on its way: the screen holds nothing but the question what to start. */
export const isBlank = ({ session, opening, connection }: ViewState): boolean =>
  session === null && !opening && connection === 'stopped';

/** The first line of the screen. */
export const selectHeader = (view: ViewState, now: LocalTime): Header => {
  const { session } = view;
  if (session === null)
    return {
      ...blank,
      session: view.opening ? 'new session' : blank.session,
      goal: safe(view.planned?.goal ?? ''),
      progress: progressOf(view),
      connection: connectionWord(view),
    };
  const goesOn = session.running && view.connection !== 'stopped' && !isComplete(session);
  return {
    session: session.session === '' ? blank.session : safe(session.session),
    goal: safe(session.goal),
    iteration: session.iteration,
    progress: progressOf(view),
    elapsed: formatWork(session, goesOn ? now : null),
    left: goesOn ? leftOf(timeLeft(session, now.ms)) : null,
    used: shortUsage(session.spending.values()),
    permissions: session.settings.permissions,
    unfenced: selectFenceGaps(session),
    executors: session.settings.concurrency.max_parallel_executors,
    connection: connectionWord(view),
    needs: selectNeeds(view).length,
    loop: selectLoop(session, now.ms),
  };
};

/**
 * The time the session has worked, over all its hosts and without its waits for a person. `now`: a host runs it at present. A session
 * of another program records only its creation, so the time since then counts.
 */
const formatWork = (session: SessionState, now: LocalTime | null): string => {
  const times = timesOf(session, now?.ms ?? null);
  if (times === null) return '';
  // The time stands while the session waits for a person.
  return now === null || session.waitingSince !== null
    ? formatElapsed(times.worked)
    : formatRunning(times.worked, now);
};

const leftOf = (left: TimeLeft | null): Left | null =>
  left && { words: `${timeWords(left)} left`, task: safe(left.task ?? '') };

/** "worked 0:41, waited 26:10". Just "0:41" when it waited for nobody; '' for a session without a start. */
export const formatSpent = (session: SessionState): string => {
  const times = timesOf(session, null);
  if (times === null) return '';
  const worked = formatElapsed(times.worked);
  return times.waited < 1_000 ? worked : `worked ${worked}, waited ${formatElapsed(times.waited)}`;
};

const timesOf = (session: SessionState, now: number | null) => {
  const until = now ?? Date.parse(session.at);
  if (session.startedAt !== '') return workedUntil(session, until);
  const since = Date.parse(session.created);
  return Number.isNaN(since) ? null : { worked: Math.max(0, until - since), waited: 0 };
};

const blank: Header = {
  session: 'ralph-tui',
  goal: '',
  iteration: 1,
  progress: null,
  elapsed: '',
  left: null,
  used: '',
  permissions: '',
  unfenced: '',
  executors: 0,
  connection: '',
  needs: 0,
  loop: null,
};

/** Omits `stopped` for a complete session, which says so elsewhere, and without a session. */
const connectionWord = ({ connection, opening, session, replay, ui }: ViewState): string =>
  replay !== null
    ? replayWords(replay)
    : opening ||
        connection === 'live' ||
        (connection === 'stopped' && (session === null || isComplete(session)))
      ? ''
      : `${ui.lostAt === null ? connection : `unreachable since ${ui.lostAt}`}${atMachine(session?.session ?? '')}`;

/** " @gpu" for `gpu:260215-101500`, a session of another machine. */
const atMachine = (session: string): string => {
  const end = session.indexOf(':');
  return end < 0 ? '' : safe(` @${session.slice(0, end)}`);
};
