import { memoiseLast } from '../base/memoise.ts';
import type { GraphLayout } from './layout.ts';
import type { Shape } from './shape.ts';
import { dependantsIn } from './window.ts';

/** What is above and below the rows in sight, in words: "3 more". '' for lines alone, `null` for nothing. */
export interface Beyond {
  readonly above: string | null;
  readonly below: string | null;
}

/** Rows `top` to `top + rows` are in sight. A window of a large graph gives no numbers: the tasks that it leaves out have no place. */
export const beyondRows = (shape: Shape, layout: GraphLayout, top: number, rows: number): Beyond => {
  const isWindow = layout.boxes.size < shape.ids.length;
  const left = isWindow ? leftOut(shape, layout) : nothingLeftOut;
  let [above, below] = [0, 0];
  for (const { y, height } of layout.boxes.values()) {
    const label = y + Math.floor(height / 2);
    if (label < top) above += 1;
    if (label >= top + rows) below += 1;
  }
  const told = (count: number, isMore: boolean, isCut: boolean): string | null => {
    if (isMore || (isWindow && count > 0)) return 'more';
    if (count > 0) return `${count} more`;
    return isCut ? '' : null;
  };
  return {
    above: told(above, left.above, top > 0),
    below: told(below, left.below, top + rows < layout.height),
  };
};

/** What a window leaves out. */
interface LeftOut {
  /** Tasks of a drawn wave before the drawn ones. */
  readonly above: boolean;
  readonly below: boolean;
  /** Drawn tasks with a blocker that is not drawn. */
  readonly before: ReadonlySet<string>;
  /** Drawn tasks that block one that is not drawn. */
  readonly after: ReadonlySet<string>;
}

const nothingLeftOut: LeftOut = { above: false, below: false, before: new Set(), after: new Set() };

/** The tasks and edges that a window of a large graph leaves out. Computed once per drawing. */
export const leftOut = memoiseLast<Shape, GraphLayout, LeftOut>(
  (one, other) => one === other,
  (shape, { boxes }) => {
    if (boxes.size >= shape.ids.length) return nothingLeftOut;
    const ends = new Map<number, readonly [first: number, last: number]>();
    shape.ids.forEach((id, index) => {
      if (!boxes.has(id)) return;
      const wave = shape.waveOf.get(id) ?? 0;
      ends.set(wave, [ends.get(wave)?.[0] ?? index, index]);
    });
    let [above, below] = [false, false];
    const before = new Set<string>();
    const after = new Set<string>();
    const dependants = dependantsIn(shape);
    const isOut = (id: string | undefined): boolean => id !== undefined && !boxes.has(id);
    const known = new Set(shape.ids);
    shape.ids.forEach((id, index) => {
      if (boxes.has(id)) {
        if ((shape.blockersOf.get(id) ?? []).some((each) => known.has(each) && isOut(each))) before.add(id);
        if ((dependants.get(index) ?? []).some((each) => isOut(shape.ids[each]))) after.add(id);
        return;
      }
      const drawn = ends.get(shape.waveOf.get(id) ?? 0);
      if (drawn === undefined) return;
      if (index < drawn[0]) above = true;
      if (index > drawn[1]) below = true;
    });
    return { above, below, before, after };
  },
);
