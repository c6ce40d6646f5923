import type { MarkedSpan } from './marked-span.ts';

/** A line of Markdown before it is laid out in a width. */
export type MarkdownLine = {
  /** The source line in its block, from 0. */
  readonly source: number;
  /** Precedes its first row: the marker of an item, the bar of a quote. */
  readonly lead: readonly MarkedSpan[];
  /** Precedes its other rows, in the same width. */
  readonly hang: readonly MarkedSpan[];
} & (
  | { readonly kind: 'words' | 'code'; readonly spans: readonly MarkedSpan[] }
  | { readonly kind: 'rule' }
  /** `row` counts from 0, the head; `null` is the rule below the head. */
  | { readonly kind: 'table'; readonly table: MarkdownTable; readonly row: number | null }
);

type Cell = readonly MarkedSpan[];

export interface MarkdownTable {
  readonly aligns: readonly ('left' | 'right' | 'center' | null)[];
  /** The head first. Every row has a cell for each column. */
  readonly rows: readonly (readonly Cell[])[];
}

/** A row of the screen. */
export interface MarkdownRow {
  readonly source: number;
  readonly spans: readonly MarkedSpan[];
}
