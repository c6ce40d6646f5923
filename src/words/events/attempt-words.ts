/** ", attempt 2". The first attempt is not counted: nothing was repeated yet, and a task that needed no work was never tried. */
export const attemptWords = ({ attempt }: { readonly attempt: number }): string =>
  attempt > 1 ? `, attempt ${attempt}` : '';
