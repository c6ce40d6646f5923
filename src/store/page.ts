/** Lines of the text pane on a screen of so many rows, roughly: what a page is. */
export const pageOf = (rows: number): number => Math.max(3, rows - (rows >= 30 ? 14 : 8));

/** Lines of text an overlay that fills the screen can show: two rows stay free above and below, three go to title and footer. */
export const overlayRows = (rows: number): number => Math.max(4, rows - 7);
