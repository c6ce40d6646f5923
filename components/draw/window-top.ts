/** The first row to draw in a list of `count` rows, so that row `selected` is near the middle of `height` rows. */
export const windowTop = (count: number, selected: number, height: number): number =>
  Math.max(0, Math.min(count - height, selected - Math.floor(height / 2)));

/** The same for a list that the wheel scrolled to row `scrolled`, whatever is selected. `null`: not scrolled. */
export const listTop = (scrolled: number | null, count: number, selected: number, height: number): number =>
  scrolled === null ? windowTop(count, selected, height) : Math.max(0, Math.min(count - height, scrolled));
