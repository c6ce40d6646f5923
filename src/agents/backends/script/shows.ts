import type { Command } from '../../../tasks/task.ts';

/** True when the command says that the criterion holds exactly when it exits 0. */
export const shows = ({ shows: named = [] }: Command, criterion: string): boolean =>
  named.some((one) => plain(one) === plain(criterion));

const plain = (text: string): string => text.trim().toLowerCase();
