/** Lines on a page: roughly the lines of the text pane on a screen of `rows` rows. */
export const pageOf = (rows: number): number => Math.max(3, rows - (rows >= 30 ? 14 : 8));

/** Lines an overlay can show. Header, now line and footer stay visible. Its frame and keys take three more. */
export const overlayRows = (rows: number): number => Math.max(3, rows - 7);
