import type { PaneName, UiState } from './view.ts';

/**
 * Places and sizes of the panes on a screen. `wide`: Tasks and the tabs above, Inbox beside Processed below · `narrow`: Inbox
 * and Processed become tabs · `single`: one pane at a time, also when zoomed (product.md, The screen).
 */
export interface Layout {
  readonly kind: 'wide' | 'narrow' | 'single';
  readonly columns: number;
  readonly rows: number;
  /** Columns of the left pane. The right pane has the rest, less the separator. */
  readonly left: number;
  readonly right: number;
  /** Rows of the panes above and below, their title lines included. */
  readonly top: number;
  readonly bottom: number;
}

/** Rows outside of the panes: header, strip and now line above, the footer below. */
const frameRows = 4;

export const layoutOf = (columns: number, rows: number, ui: Pick<UiState, 'zoom'>): Layout => {
  const body = Math.max(1, rows - frameRows);
  if (ui.zoom || columns < 80 || rows < 24)
    return { kind: 'single', columns, rows, left: columns, right: columns, top: body, bottom: 0 };
  if (columns < 100 || rows < 30) {
    const left = Math.min(48, Math.floor((columns - 1) * 0.45));
    return { kind: 'narrow', columns, rows, left, right: columns - left - 1, top: body, bottom: 0 };
  }
  const left = Math.max(46, Math.min(80, Math.floor((columns - 1) * 0.42)));
  const bottom = Math.max(6, Math.min(12, Math.floor(rows * 0.22)));
  return { kind: 'wide', columns, rows, left, right: columns - left - 1, top: body - bottom, bottom };
};

/** Rows of a pane without its title line. */
export const rowsOf = (layout: Layout, pane: PaneName): number =>
  (layout.kind === 'wide' && (pane === 'inbox' || pane === 'processed') ? layout.bottom : layout.top) - 1;
