import type { GraphLayout } from './layout.ts';

/** A step in the drawing. */
export type Way = 'left' | 'right' | 'up' | 'down';

/**
 * The task that a step leads to: along an edge where the ranks run that way, else the neighbour in the rank. Of several edges, the one to the
 * task nearest to the row of `aim`, by default its own. `null` if there is nothing in that direction.
 */
export const walk = (layout: GraphLayout, from: string, way: Way, aim: string = from): string | null => {
  const box = layout.boxes.get(from);
  if (box === undefined) return null;
  const onward = way === 'right' || way === 'down';
  if (!isAlong(layout, way)) return layout.ranks[box.rank]?.[box.place + (onward ? 1 : -1)] ?? null;
  const row = layout.boxes.get(aim) ?? box;
  const across = (id: string): number => {
    const other = layout.boxes.get(id) ?? box;
    const [own, theirs] =
      layout.form.way === 'right'
        ? [row.y + row.height / 2, other.y + other.height / 2]
        : [row.x + row.width / 2, other.x + other.width / 2];
    return Math.abs(own - theirs);
  };
  const rank = (id: string): number => layout.boxes.get(id)?.rank ?? box.rank;
  const ends = layout.edges
    .filter(({ blocker, task }) => blocker === from || task === from)
    .map(({ blocker, task }) => (blocker === from ? task : blocker))
    .filter((id) => (onward ? rank(id) > box.rank : rank(id) < box.rank));
  return ends.sort((a, b) => across(a) - across(b))[0] ?? null;
};

/** Whether a step goes along edges, and not to a neighbour in the rank. */
export const isAlong = ({ form }: GraphLayout, way: Way): boolean =>
  (way === 'left' || way === 'right') === (form.way === 'right');
