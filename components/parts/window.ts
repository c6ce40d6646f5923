/** The first row to draw of a list of `count` rows, so that row `selected` stands near the middle of `height` rows. */
export const windowTop = (count: number, selected: number, height: number): number =>
  Math.max(0, Math.min(count - height, selected - Math.floor(height / 2)));
