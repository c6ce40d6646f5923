/** `npm run check` and CI set it: the long form of tests that throw the same dice many times. `npm test` throws them fewer times. */
export const isLongForm = process.env['LONG_TESTS'] === '1';

/** A size by the form: how many signals, seeds, stops. */
export const sized = (sizes: { readonly short: number; readonly long: number }): number =>
  isLongForm ? sizes.long : sizes.short;

/** The runs of a property, for fast-check: an eighth in the short form. Each run of the tests draws another seed. */
export const draws = (numRuns: number): { readonly numRuns: number } => ({
  numRuns: sized({ short: Math.ceil(numRuns / 8), long: numRuns }),
});
