import type { TurnObservation } from '../pipeline/modes/loop/turn-record.ts';
import { turnId } from '../pipeline/modes/loop/turns.ts';
import type { SessionState } from '../pipeline/state.ts';
import { count } from './local-time.ts';

/** "2 of 5 boxes"; '' without a focus file or without boxes in it. */
export const boxWords = (focus: TurnObservation['focus']): string => {
  if (focus === null) return '';
  const all = focus.open + focus.done;
  return all === 0 ? '' : `${focus.done} of ${count(all, 'box', 'boxes')}`;
};

/** "3 files changed"; also says when another program made the look before. */
export const changeWords = ({ changed }: TurnObservation): string => {
  if (changed === null) return 'changes unknown';
  return changed === 0 ? 'no file changed' : `${count(changed, 'file')} changed`;
};

/** The result of a loop's turn for its row: "1 file, 2/5 boxes". '' until the engine has looked at it, and in other modes. */
export const turnWords = ({ loop }: Pick<SessionState, 'loop'>, task: string): string => {
  const look = loop?.looks.find((each) => turnId(each.turn) === task);
  if (look === undefined) return '';
  const { changed, focus } = look;
  const files = changed === null ? '' : changed === 0 ? 'no change' : count(changed, 'file');
  const all = focus === null ? 0 : focus.open + focus.done;
  const ticked = focus === null || all === 0 ? '' : `${focus.done}/${all} boxes`;
  return [files, ticked].filter((part) => part !== '').join(', ');
};

/** "5 turns, 1 failed". */
export const loopCounts = ({ tasks }: Pick<SessionState, 'tasks'>): string => {
  const failed = [...tasks.values()].filter(({ status }) => status === 'failed').length;
  return [count(tasks.size, 'turn'), failed > 0 ? `${failed} failed` : '']
    .filter((part) => part !== '')
    .join(', ');
};

/** "5 turns, 1 failed · 5 of 5 boxes". `null` in another mode. */
export const loopSummary = (session: Pick<SessionState, 'tasks' | 'loop'>): string | null =>
  session.loop &&
  [loopCounts(session), boxWords(session.loop.looks.at(-1)?.focus ?? null)]
    .filter((part) => part !== '')
    .join(' · ');
