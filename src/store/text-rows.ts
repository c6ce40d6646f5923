import type { DetailLine } from './detail-line.ts';
import { layoutOf } from './layout.ts';
import { selectChanges } from './select-changes.ts';
import { selectDetails } from './select-details.ts';
import type { ViewState } from './view.ts';
import { wrap } from './width.ts';

/** One row of a text, with what stood before it in the line it was wrapped from. */
export interface TextRow {
  readonly kind: DetailLine['kind'] | 'blank';
  readonly text: string;
  /** The first row of its line. */
  readonly first: boolean;
}

const indents: { readonly [kind in DetailLine['kind']]: number } = {
  title: 2,
  heading: 2,
  choice: 2,
  sub: 2,
  text: 2,
  item: 5,
  chosen: 5,
  good: 5,
  bad: 5,
  code: 5,
};

/** The Details tab as rows of `width` cells. */
export const detailRows = (view: ViewState, width: number): readonly TextRow[] =>
  selectDetails(view).flatMap((line) => [
    ...(line.kind === 'heading' || line.kind === 'choice' || line.kind === 'sub'
      ? [{ kind: 'blank', text: '', first: true } as const]
      : []),
    ...wrap(line.text, Math.max(1, width - indents[line.kind])).map((text, index) => ({
      kind: line.kind,
      text,
      first: index === 0,
    })),
  ]);

/** Rows of the text on the right, so that scrolling ends where it does. */
export const textLength = (view: ViewState): number => {
  const { ui } = view;
  if (ui.tab === 'changes') return selectChanges(view).lines.length + 2;
  return detailRows(view, layoutOf(ui.size.columns, ui.size.rows, ui).right).length + 1;
};
