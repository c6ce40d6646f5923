import type { Form } from './form.ts';
import { type GraphLayout, type LinesOf, layOut, type Ordered, orderGraph } from './layout.ts';
import type { Shape } from './shape.ts';

/**
 * How much a label says: `tiny` the id, cut very early, `short` a longer one, `id` nearly all of it, `full` also the time, and in a box the title behind the id where it has room, `titled` a second row with the title as well, `tight` with the title in narrow rows, `narrow`
 * with the time behind the title.
 */
export type Detail = 'titled' | 'tight' | 'narrow' | 'full' | 'id' | 'short' | 'tiny';

export interface Fitted {
  readonly layout: GraphLayout;
  readonly detail: Detail;
  /** The frame shows all of it. */
  readonly isWhole: boolean;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
}

interface Candidate {
  readonly form: Form;
  readonly detail: Detail;
}

const boxedRight: Form = { way: 'right', boxed: true, lines: 1, gap: 0, pad: 1, step: 2 };
const boxedDown: Form = { way: 'down', boxed: true, lines: 1, gap: 2, pad: 0, step: 1 };
const plainRight: Form = { way: 'right', boxed: false, lines: 1, gap: 1, pad: 1, step: 2 };
const denseRight: Form = { way: 'right', boxed: false, lines: 1, gap: 0, pad: 1, step: 1 };
const plainDown: Form = { way: 'down', boxed: false, lines: 1, gap: 1, pad: 0, step: 1 };

/** Forms with a title in each box, the finest of all. */
const titledForms: readonly Candidate[] = [
  { form: { ...boxedRight, lines: 2, pad: 2 }, detail: 'titled' },
  { form: { ...boxedRight, lines: 2 }, detail: 'titled' },
  { form: { ...boxedDown, lines: 2 }, detail: 'titled' },
  { form: { ...boxedRight, lines: 3 }, detail: 'tight' },
  { form: { ...boxedDown, lines: 3 }, detail: 'tight' },
  { form: { ...boxedRight, lines: 2 }, detail: 'tight' },
  { form: { ...boxedDown, lines: 2 }, detail: 'tight' },
  { form: { ...boxedRight, lines: 2 }, detail: 'narrow' },
  { form: { ...boxedDown, lines: 2 }, detail: 'narrow' },
];

const boxedForms: readonly Candidate[] = [
  { form: { ...boxedRight, pad: 2 }, detail: 'full' },
  { form: boxedRight, detail: 'full' },
  { form: boxedDown, detail: 'full' },
];

/** Without boxes a title still says more than an id. */
const plainTitledForms: readonly Candidate[] = [
  { form: { ...plainRight, lines: 2 }, detail: 'titled' },
  { form: { ...plainDown, lines: 2 }, detail: 'titled' },
  { form: { ...plainRight, lines: 3 }, detail: 'tight' },
  { form: { ...plainDown, lines: 3 }, detail: 'tight' },
];

/** The other forms of a drawing, the finest first. A box says more than a time. */
const otherForms: readonly Candidate[] = [
  { form: boxedRight, detail: 'id' },
  { form: boxedDown, detail: 'id' },
  { form: plainRight, detail: 'full' },
  { form: plainDown, detail: 'full' },
  { form: boxedRight, detail: 'short' },
  { form: boxedDown, detail: 'short' },
  { form: { ...denseRight, step: 2 }, detail: 'full' },
  { form: plainRight, detail: 'short' },
  { form: plainDown, detail: 'short' },
  { form: denseRight, detail: 'short' },
];

/** Long ids keep both of their ends: parts of a name say more than names behind the edge of the pane. */
const tinyForms: readonly Candidate[] = [
  { form: plainRight, detail: 'tiny' },
  { form: plainDown, detail: 'tiny' },
  { form: denseRight, detail: 'tiny' },
];

/** More tasks than this are drawn without trying every form: trying takes longer than a frame. */
export const manyTasks = 60;
const quick = otherForms.slice(-3);
/** A window of a large graph always has its ranks as columns, so that a key means the same wherever the window is. */
const ofWindow = quick.filter(({ form }) => form.way === 'right');

interface FitOptions {
  /** Only a part of a large graph is drawn. */
  readonly isWindow?: boolean;
  /** The caller draws a second row with the title in each box. */
  readonly titled?: boolean;
  /** Where a label needs fewer rows than its form has. */
  readonly linesOf?: LinesOf;
}

/** Cells of a label of so many lines. `more` cells beyond the usual ones are free for its title. */
type WidthOf = (id: string, detail: Detail, lines: number, more?: number) => number;

/** The finest drawing that fits into the frame. Where none fits, the one of which the frame shows most. */
export const fitGraph = (
  shape: Shape,
  widthOf: WidthOf,
  frame: Frame,
  { isWindow = false, titled = false, linesOf }: FitOptions = {},
): Fitted => {
  const ordered = orderGraph(shape);
  const tried: Fitted[] = [];
  const some = isWindow ? ofWindow : quick;
  const all = titled
    ? [...titledForms, ...boxedForms, ...plainTitledForms, ...otherForms, ...tinyForms]
    : [...boxedForms, ...otherForms, ...tinyForms];
  for (const { form, detail } of shape.ids.length > manyTasks ? some : all) {
    const layout = layOut(ordered, (id) => widthOf(id, detail, form.lines), form, linesOf);
    if (layout === null) continue;
    if (isInside(layout, frame))
      return {
        layout: (titled ? roomier(ordered, { form, detail }, { widthOf, linesOf, frame }) : null) ?? layout,
        detail,
        isWhole: true,
      };
    tried.push({ layout, detail, isWhole: false });
  }
  const short = tried.filter(({ detail }) => detail === 'short');
  return short.reduce<Fitted>(
    (best, each) => (shown(each.layout, frame) > shown(best.layout, frame) ? each : best),
    short[0] ?? fallback(ordered, widthOf),
  );
};

const isInside = ({ width, height }: GraphLayout, frame: Frame): boolean =>
  width <= frame.width && height <= frame.height;

/** Cells for longer titles, the most first. */
const roomForTitles = [48, 36, 24, 16, 10, 5, 0];

/** Growing single boxes lays out the graph once for each. */
const grownTasks = 30;

/** The same drawing with longer titles: all alike as far as the frame has room for that, then single ones that have room beside the others. */
const roomier = (
  ordered: Ordered,
  { form, detail }: Candidate,
  {
    widthOf,
    linesOf,
    frame,
  }: { readonly widthOf: WidthOf; readonly linesOf: LinesOf | undefined; readonly frame: Frame },
): GraphLayout | null => {
  if (form.lines === 1 && !(form.boxed && detail === 'full')) return null;
  const { ids } = ordered.shape;
  const drawn = (widths: ReadonlyMap<string, number>): GraphLayout | null => {
    const layout = layOut(ordered, (id) => widths.get(id) ?? 0, form, linesOf);
    return layout !== null && isInside(layout, frame) ? layout : null;
  };
  const widthsWith = (more: number) => new Map(ids.map((id) => [id, widthOf(id, detail, form.lines, more)]));
  const more = roomForTitles.find((each) => drawn(widthsWith(each)) !== null) ?? 0;
  let widths = widthsWith(more);
  if (ids.length > grownTasks) return drawn(widths);
  for (const id of ids)
    for (const each of roomForTitles) {
      const width = widthOf(id, detail, form.lines, each);
      if (width <= (widths.get(id) ?? 0)) break;
      const grown = new Map([...widths, [id, width]]);
      if (drawn(grown) === null) continue;
      widths = grown;
      break;
    }
  return drawn(widths);
};

const fallback = (ordered: Ordered, widthOf: WidthOf): Fitted => {
  const layout = layOut(ordered, (id) => widthOf(id, 'short', 1), plainRight);
  if (layout === null) throw new Error('a form with gaps always has room');
  return { layout, detail: 'short', isWhole: false };
};

/** The part of the drawing that the frame shows. */
const shown = ({ width, height }: GraphLayout, frame: Frame): number =>
  Math.min(1, frame.width / width) * Math.min(1, frame.height / height);
