/** Lines of the text pane on a screen of so many rows, roughly: what a page is. */
export const pageOf = (rows: number): number => Math.max(3, rows - (rows >= 30 ? 14 : 8));

/** Lines an overlay can show: header, now line and footer stay in sight, its frame and its keys take three. */
export const overlayRows = (rows: number): number => Math.max(3, rows - 7);
