import { modeOf } from '../../src/pipeline/modes/index.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { failedStatus, type StateName } from '../../src/session/status.ts';
import { badEnd, stateWord } from '../../src/words/state-words.ts';
import { selectTasks } from '../tasks/select-tasks.ts';
import { flowPhases, type StripCell } from './flow-strip.ts';

/** An abort ends a session from any state: without a review its last parts never ran. */
const cutOffBefore = ({ status, review }: SessionState, state: StateName): boolean =>
  status === 'aborted' && review === null && afterWork.has(state);

/** The work of an aborted session was passed, and not done. */
const brokenOff = ({ status, tasks }: SessionState, state: StateName): boolean =>
  status === 'aborted' && work.has(state) && [...tasks.values()].some((task) => task.status !== 'done');

const work: ReadonlySet<StateName> = new Set(['BATCHING', 'EXECUTING_BATCH', 'REVIEWING_BATCH']);

const afterWork: ReadonlySet<StateName> = new Set([
  'SESSION_REVIEW',
  'KNOWLEDGE_EXTRACTION',
  'KNOWLEDGE_APPROVAL',
]);

/** One of several states that is current makes the part current; one that is skipped says nothing about the others. */
const joined = (first: StripCell, second: StripCell): StripCell => {
  const [cell, other] =
    first.phase === 'skipped' || (first.phase !== 'current' && second.phase === 'current')
      ? [second, first]
      : [first, second];
  return other.note === undefined ? cell : { ...cell, note: other.note };
};

/** The state in which a session that ended without all of its work failed or was broken off, and a note on it. */
const brokenPart = (session: SessionState): { readonly state: StateName; readonly note: string } | null => {
  const { status, previous, review, tasks } = session;
  if (status === 'aborted') return previous === null ? null : { state: previous, note: 'cut off' };
  if (status !== failedStatus) return null;
  const { failed } = selectTasks({ session });
  const open = [...tasks.values()].filter((task) => task.status === 'open').length;
  if (failed > 0) return { state: 'EXECUTING_BATCH', note: `${failed} failed` };
  if (open > 0) return { state: 'EXECUTING_BATCH', note: `${open} not done` };
  if (review?.goalsAchieved === false) return { state: 'SESSION_REVIEW', note: 'goal not reached' };
  return tasks.size === 0 ? { state: 'PLANNING', note: 'no tasks' } : null;
};

/** The parts of the session's mode in the order of the machine, and the session's position in them. */
export const selectStrip = (session: SessionState | null): readonly StripCell[] => {
  const { strip } = modeOf(session ?? { mode: 'waves' });
  const current = strip.findIndex(({ state }) => state === session?.state);
  const place = session ?? { iteration: 1, flow: null };
  const broken = session === null ? null : brokenPart(session);
  const cells: StripCell[] = [];
  strip.forEach(({ state, skipped }, index) => {
    const isLeftOut = skipped?.(place) || (session !== null && cutOffBefore(session, state));
    const isPassed = index < current && !(session !== null && brokenOff(session, state));
    const phase = index === current ? 'current' : isLeftOut ? 'skipped' : isPassed ? 'passed' : 'ahead';
    const phases = session !== null && state === 'EXECUTING_BATCH' ? flowPhases(session) : [];
    if (phases.length > 0) {
      cells.push(...phases);
      return;
    }
    const status = phase === 'current' ? (session?.status ?? 'completed') : 'completed';
    const word = stateWord(state, session?.mode ?? 'waves', status);
    const cell: StripCell =
      badEnd(state, status) === null
        ? { word, phase, ...(broken?.state === state && broken) }
        : { word, phase, isBad: true };
    const last = cells.at(-1);
    if (last?.word !== cell.word) cells.push(cell);
    else cells[cells.length - 1] = joined(last, cell);
  });
  return cells;
};
