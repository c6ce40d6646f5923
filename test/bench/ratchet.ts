import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Noise } from './machine-noise.ts';
import type { Row } from './measure.ts';

/** The least ratio of each row to its base that a quiet machine has measured, by the row's name. */
export type Ratchet = Readonly<Record<string, number>>;

/** So many times the measured ratio a row may take. */
const most = 1.3;

/** How many times its base a row takes; `null` without one, or where nothing was measured. */
export const ratioOf = ({ base, unit, value }: Row): number | null => {
  if (base === null || !(value > 0) || !(base.value > 0)) return null;
  return unit === 'events/s' ? base.value / value : value / base.value;
};

/** The row with the target that its ratchet gives it, where that is stricter than its own. */
export const withRatchet = (row: Row, ratchet: Ratchet): Row => {
  const known = ratchet[row.name];
  const ratio = ratioOf(row);
  if (known === undefined || ratio === null || ratio <= most * known) return row;
  return { ...row, target: `≤ ${(most * known).toFixed(2)}×`, ok: false };
};

/** A ratchet goes one way: a row that became slower keeps its old ratio until someone takes it out of the file. */
export const tightened = (ratchet: Ratchet, rows: readonly Row[]): Ratchet => {
  const measured = rows.flatMap((row): readonly [string, number][] => {
    const ratio = ratioOf(row);
    if (ratio === null || row.reason !== undefined) return [];
    return [
      [row.name, Math.min(Math.ceil(ratio * 100) / 100, ratchet[row.name] ?? Number.POSITIVE_INFINITY)],
    ];
  });
  return { ...ratchet, ...Object.fromEntries(measured) };
};

/** Nothing else works on the machine: what it measures now may bind every later run. */
export const isQuiet = ({ busy, p50, p95 }: Noise): boolean => busy < 0.1 && p95 < 1.1 * p50;

const file = join(import.meta.dirname, 'ratchet.json');

export const readRatchet = (): Ratchet =>
  existsSync(file) ? z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(file, 'utf8'))) : {};

export const writeRatchet = (ratchet: Ratchet): void => {
  const sorted = Object.entries(ratchet).toSorted(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
};
