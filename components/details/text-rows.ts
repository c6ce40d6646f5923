import type { DetailLine } from '../../src/words/detail-line.ts';
import type { LocalTime } from '../../src/words/local-time.ts';
import { wrap } from '../../src/words/width.ts';
import type { ViewState } from '../view.ts';
import { selectDetails } from './select-details.ts';

/** One row of a text after its lines were wrapped. */
export interface TextRow {
  readonly kind: DetailLine['kind'] | 'blank';
  readonly text: string;
  /** Whether it is the first row of its line. */
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
  asks: 5,
  code: 5,
};

/** The Details tab as rows of `width` cells. */
export const detailRows = (
  view: ViewState,
  width: number,
  now: LocalTime | null = null,
): readonly TextRow[] => textRows(selectDetails(view, now), width);

/** Lines of text as rows of `width` cells, with a blank row before each heading. */
export const textRows = (lines: readonly DetailLine[], width: number): readonly TextRow[] =>
  lines.flatMap((line) => [
    ...(line.kind === 'heading' || line.kind === 'choice' || line.kind === 'sub'
      ? [{ kind: 'blank', text: '', first: true } as const]
      : []),
    ...wrap(line.text, Math.max(1, width - indents[line.kind])).map((text, index) => ({
      kind: line.kind,
      text,
      first: index === 0,
    })),
  ]);
