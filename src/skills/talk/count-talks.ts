import type { Talk } from './talk.ts';

/** Conversations of one skill, with what their agents reported. */
export interface TalkCounts {
  readonly skill: string;
  readonly conversations: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Dollars; `null` where no agent named any. */
  readonly cost: number | null;
}

/** Counts conversations by skill, the most used first. One that never began is left out. */
export const countTalks = (talks: readonly Talk[]): readonly TalkCounts[] => {
  const bySkill = Map.groupBy(
    talks.filter(({ skill }) => skill !== ''),
    ({ skill }) => skill,
  );
  return [...bySkill]
    .map(([skill, all]): TalkCounts => {
      const costs = all.flatMap(({ spent }) => (spent.cost === null ? [] : [spent.cost]));
      return {
        skill,
        conversations: all.length,
        tokensIn: all.reduce((sum, { spent }) => sum + spent.input, 0),
        tokensOut: all.reduce((sum, { spent }) => sum + spent.output, 0),
        cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
      };
    })
    .sort((a, b) => b.conversations - a.conversations || (a.skill < b.skill ? -1 : 1));
};
