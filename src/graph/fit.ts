import type { Form } from './form.ts';
import { type GraphLayout, layOut, type Ordered, orderGraph } from './layout.ts';
import type { Shape } from './shape.ts';

/**
 * How much a label says: `full` has the time and a longer id, `titled` a second row with the title as well, `tight` with the title in narrow rows, `narrow`
 * with the time behind the title.
 */
export type Detail = 'titled' | 'tight' | 'narrow' | 'full' | 'short';

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

/** The other forms of a drawing, the finest first. */
const plainForms: readonly Candidate[] = [
  { form: plainRight, detail: 'full' },
  { form: plainDown, detail: 'full' },
  { form: boxedRight, detail: 'short' },
  { form: boxedDown, detail: 'short' },
  { form: { ...denseRight, step: 2 }, detail: 'full' },
  { form: plainRight, detail: 'short' },
  { form: plainDown, detail: 'short' },
  { form: denseRight, detail: 'short' },
];

/** More tasks than this are drawn without trying every form: trying takes longer than a frame. */
export const manyTasks = 60;
const quick = plainForms.slice(-3);
/** A window of a large graph always has its ranks as columns, so that a key means the same wherever the window is. */
const ofWindow = quick.filter(({ form }) => form.way === 'right');

interface FitOptions {
  /** Only a part of a large graph is drawn. */
  readonly isWindow?: boolean;
  /** The caller draws a second row with the title in each box. */
  readonly titled?: boolean;
}

/** The finest drawing that fits into the frame. Where none fits, the one of which the frame shows most. */
export const fitGraph = (
  shape: Shape,
  widthOf: (id: string, detail: Detail) => number,
  frame: Frame,
  { isWindow = false, titled = false }: FitOptions = {},
): Fitted => {
  const ordered = orderGraph(shape);
  const tried: Fitted[] = [];
  const some = isWindow ? ofWindow : quick;
  const all = titled
    ? [...titledForms, ...boxedForms, ...plainTitledForms, ...plainForms]
    : [...boxedForms, ...plainForms];
  for (const { form, detail } of shape.ids.length > manyTasks ? some : all) {
    const layout = layOut(ordered, (id) => widthOf(id, detail), form);
    if (layout === null) continue;
    if (layout.width <= frame.width && layout.height <= frame.height)
      return { layout, detail, isWhole: true };
    tried.push({ layout, detail, isWhole: false });
  }
  const short = tried.filter(({ detail }) => detail === 'short');
  return short.reduce<Fitted>(
    (best, each) => (shown(each.layout, frame) > shown(best.layout, frame) ? each : best),
    short[0] ?? fallback(ordered, widthOf),
  );
};

const fallback = (ordered: Ordered, widthOf: (id: string, detail: Detail) => number): Fitted => {
  const layout = layOut(ordered, (id) => widthOf(id, 'short'), plainRight);
  if (layout === null) throw new Error('a form with gaps always has room');
  return { layout, detail: 'short', isWhole: false };
};

/** The part of the drawing that the frame shows. */
const shown = ({ width, height }: GraphLayout, frame: Frame): number =>
  Math.min(1, frame.width / width) * Math.min(1, frame.height / height);
