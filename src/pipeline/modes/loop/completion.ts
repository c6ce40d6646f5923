import type { Settings } from '../../../session/settings.ts';
import type { LoopCourse, TurnObservation } from './turn-record.ts';

/** How strongly a sign says that the work is complete. */
interface Completion {
  /** 0 to 1. */
  readonly confidence: number;
  /** The sign, in words for people. */
  readonly sign: string;
  /** Why it does not count, as a clause for people; `null` when it does. */
  readonly against: string | null;
}

/** The strongest sign of completion after the last turn; `null` without any (src/discovery/README.md, The loop). */
export const completionOf = (loop: LoopCourse, settings: Settings): Completion | null => {
  const last = loop.turns.at(-1);
  if (last === undefined || last.turn === 0) return null;
  const before = loop.turns.find(({ turn }) => turn === 0);
  const signs = signsOf(last);
  // A sign from before turn 1 may be left over from other work: it counts with the proof of `loop.verify` alone.
  const isProven = settings.loop.verify.length > 0;
  const counts = ({ isNew }: Sign): boolean => isProven || isNew(before?.focus ?? null);
  const found = signs.find(counts) ?? signs[0];
  if (found === undefined) return null;
  const against = counts(found)
    ? contradiction(loop, last, found.confidence, settings)
    : 'this was already so before turn 1, and no loop.verify proves it';
  return { confidence: found.confidence, sign: found.sign, against };
};

type Focus = NonNullable<TurnObservation['focus']>;

interface Sign {
  readonly confidence: number;
  readonly sign: string;
  /** Whether the loop brought it about. `before` is the focus file at its start. */
  readonly isNew: (before: Focus | null) => boolean;
}

/** The signs after a turn, the strongest first. */
const signsOf = ({ promise, focus }: TurnObservation): readonly Sign[] => {
  const signs: Sign[] = [];
  if (promise) signs.push({ confidence: 1, sign: 'the agent promised it', isNew: () => true });
  if (focus === null) return signs;
  const { marker, status, done, open } = focus;
  if (marker)
    signs.push({
      confidence: 1,
      sign: 'TASK_COMPLETE is ticked',
      isNew: (before) => before?.marker !== true,
    });
  if (status !== null && finished.has(status))
    signs.push({
      confidence: 0.95,
      sign: `its front matter says ${status}`,
      isNew: (before) => !finished.has(before?.status ?? ''),
    });
  if (done > 0 && open === 0)
    signs.push({
      confidence: 0.9,
      sign: 'every box is ticked',
      isNew: (before) => before === null || before.open > 0 || before.done < done,
    });
  return signs;
};

const finished: ReadonlySet<string> = new Set(['complete', 'completed', 'done', 'finished']);

/** What contradicts a sign of completion: the focus file above all, whatever an agent promises. */
const contradiction = (
  loop: LoopCourse,
  { focus, turn }: TurnObservation,
  confidence: number,
  settings: Settings,
): string | null => {
  if (loop.focus !== null && focus === null) return `${loop.focus} cannot be read`;
  const open = focus?.open ?? 0;
  if (open > 0) return `${open === 1 ? '1 box is' : `${open} boxes are`} open in ${loop.focus ?? 'its file'}`;
  const lost = lostBoxes(loop);
  if (lost > 0)
    return `${lost === 1 ? '1 open box was' : `${lost} open boxes were`} removed from ${loop.focus ?? 'its file'} without being ticked`;
  const { threshold } = settings.loop;
  if (turn < settings.loop.min_turns) return `loop.min_turns is ${settings.loop.min_turns}`;
  return confidence < threshold
    ? `the confidence is ${confidence}, but loop.threshold is ${threshold}`
    : null;
};

/**
 * Open boxes that left the focus file unticked. Boxes are counted, because agents reword what they tick: in a turn fewer boxes may stop being
 * open than are newly ticked, and boxes that come back later make up for lost ones. A file that cannot be read is compared when it is back.
 */
const lostBoxes = ({ turns }: LoopCourse): number => {
  let lost = 0;
  let before: Focus | null = null;
  for (const { focus } of turns) {
    if (focus === null) continue;
    if (before !== null) {
      const ticked = Math.max(0, focus.done - before.done);
      const gone = Math.max(0, before.open - focus.open - ticked);
      const come = Math.max(0, focus.open + focus.done - before.open - before.done);
      lost = Math.max(0, lost + gone - come);
    }
    before = focus;
  }
  return lost;
};
