/** The first row to draw of a list of `count` rows, so that row `selected` stands near the middle of `height` rows. */
export const windowTop = (count: number, selected: number, height: number): number =>
  Math.max(0, Math.min(count - height, selected - Math.floor(height / 2)));

/** The same in a list that the wheel has put at row `scrolled`, whatever is selected; `null` when nobody turned it. */
export const listTop = (scrolled: number | null, count: number, selected: number, height: number): number =>
  scrolled === null ? windowTop(count, selected, height) : Math.max(0, Math.min(count - height, scrolled));
