import type { Move } from './ui-action.ts';

/** Rows for one notch of the wheel. */
const wheelRows = 3;

/** The target of a move from item `from` of `length`. `page` is the number of items on a page. */
export const stepBy = (from: number, by: Move, length: number, page: number): number => {
  const ways: { readonly [move in Move]: number } = {
    up: from - 1,
    down: from + 1,
    'page-up': from - page,
    'page-down': from + page,
    'half-up': from - Math.ceil(page / 2),
    'half-down': from + Math.ceil(page / 2),
    'wheel-up': from - wheelRows,
    'wheel-down': from + wheelRows,
    left: from,
    right: from,
    first: 0,
    last: length - 1,
  };
  return Math.max(0, Math.min(length - 1, ways[by]));
};
