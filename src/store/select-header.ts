import { safe } from '../base/safe.ts';
import { spentUntil } from '../pipeline/evolve/session.ts';
import type { SessionState } from '../pipeline/state.ts';
import { type StateName, stateNameSchema } from '../session/status.ts';
import { formatElapsed, formatMinutes, type Moment } from './moment.ts';
import { replayWords } from './replay.ts';
import { selectNeeds } from './select-needs.ts';
import { selectWaits } from './select-now.ts';
import { inWaves, selectTasks } from './select-tasks.ts';
import type { ViewState } from './view.ts';

export interface Header {
  readonly session: string;
  readonly goal: string;
  readonly iteration: number;
  /** "wave 2 of 4", or nothing before there are waves. */
  readonly wave: string;
  readonly elapsed: string;
  readonly permissions: string;
  readonly executors: number;
  /** "replay", "attached", or nothing for a live run. */
  readonly connection: string;
  readonly needs: number;
}

/** What stands in the first line. */
export const selectHeader = (view: ViewState, now: Moment): Header => {
  const { session } = view;
  if (session === null) return { ...blank, connection: connectionWord(view) };
  const waves = selectTasks(view).graph.waves.length;
  const goesOn = session.running && view.connection !== 'stopped' && session.state !== 'COMPLETE';
  // While it waits the screen is drawn once a minute: seconds would stand still there, and jump at a key.
  const coarse = view.connection !== 'replay' && selectWaits(view);
  return {
    session: session.session === '' ? blank.session : safe(session.session),
    goal: safe(session.goal),
    iteration: session.iteration,
    wave: inWaves(session) && session.wave !== null && waves > 0 ? `wave ${session.wave} of ${waves}` : '',
    elapsed: formatSpent(session, goesOn ? now.ms : null, coarse ? formatMinutes : formatElapsed),
    permissions: session.settings.permissions,
    executors: session.settings.concurrency.max_parallel_executors,
    connection: connectionWord(view),
    needs: selectNeeds(view).length,
  };
};

/** How long the session has been run, by all the programs that did; `now`: somebody runs it at this moment. Another program's session tells only when it was made. */
export const formatSpent = (session: SessionState, now: number | null, format = formatElapsed): string => {
  const { created, running, spentMs, startedAt } = session;
  const until = now ?? Date.parse(session.at);
  if (startedAt !== '') return format(running ? spentUntil(session, until) : spentMs);
  return created === '' ? '' : format(Math.max(0, until - Date.parse(created)));
};

const blank: Header = {
  session: 'no session',
  goal: '',
  iteration: 1,
  wave: '',
  elapsed: '',
  permissions: '',
  executors: 0,
  connection: '',
  needs: 0,
};

/** A complete session says so already. */
const connectionWord = ({ connection, session, replay }: ViewState): string =>
  replay !== null
    ? replayWords(replay)
    : connection === 'live' || (connection === 'stopped' && session?.state === 'COMPLETE')
      ? ''
      : connection;

/** One cell of the strip of the ten states. */
export interface StripCell {
  readonly state: StateName;
  readonly word: string;
  /** `skipped`: not on this iteration's way (REPLANNING in the first, INITIALIZING and PLANNING in later ones). */
  readonly phase: 'passed' | 'current' | 'ahead' | 'skipped';
}

const words: { readonly [state in StateName]: string } = {
  INITIALIZING: 'Init',
  PLANNING: 'Plan',
  REPLANNING: 'Replan',
  BATCHING: 'Wave',
  EXECUTING_BATCH: 'Execute',
  REVIEWING_BATCH: 'Review',
  SESSION_REVIEW: 'Assess',
  KNOWLEDGE_EXTRACTION: 'Learn',
  KNOWLEDGE_APPROVAL: 'Approve',
  COMPLETE: 'Done',
};

/** The ten states in the order of the machine, with where the session stands. */
export const selectStrip = (session: SessionState | null): readonly StripCell[] => {
  const current = session === null ? -1 : stateNameSchema.options.indexOf(session.state);
  return stateNameSchema.options.map((state, index) => ({
    state,
    word: words[state],
    phase:
      index === current
        ? 'current'
        : isSkipped(session, state)
          ? 'skipped'
          : index < current
            ? 'passed'
            : 'ahead',
  }));
};

const isSkipped = (session: SessionState | null, state: StateName): boolean =>
  (session?.iteration ?? 1) > 1 ? state === 'INITIALIZING' || state === 'PLANNING' : state === 'REPLANNING';
