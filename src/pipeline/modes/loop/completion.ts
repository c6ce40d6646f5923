import type { TurnObservation } from './turn-record.ts';

/** How strongly a sign says that the work is complete. */
export interface Completion {
  /** 0 to 1. */
  readonly confidence: number;
  /** The sign, in words for people. */
  readonly sign: string;
}

/** The strongest sign of completion after a turn; `null` without any (discovery.md, The loop). */
export const completionOf = ({ promise, focus }: TurnObservation): Completion | null => {
  if (promise) return { confidence: 1, sign: 'the agent promised it' };
  if (focus === null) return null;
  if (focus.marker) return { confidence: 1, sign: 'TASK_COMPLETE is ticked' };
  if (focus.status !== null && finished.has(focus.status))
    return { confidence: 0.95, sign: `its front matter says ${focus.status}` };
  if (focus.done > 0 && focus.open === 0) return { confidence: 0.9, sign: 'every box is ticked' };
  return null;
};

const finished: ReadonlySet<string> = new Set(['complete', 'completed', 'done', 'finished']);
