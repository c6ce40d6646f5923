import { safe } from '../base/safe.ts';
import type { Spent, Total } from '../pipeline/agents/spending.ts';
import { totalOf } from '../pipeline/agents/spending.ts';

/** "$0.42 · 45.2k tokens": what agents reported. '' if they reported nothing. */
export const usageWords = (spending: Iterable<Spent>): string => {
  const total = totalOf(spending);
  return [...costWords(total), ...tokenWords(total)].join(' · ');
};

/** The cost, or the tokens where no agent reports a cost: one short word for a crowded line. */
export const shortUsage = (spending: Iterable<Spent>): string => {
  const total = totalOf(spending);
  return costWords(total)[0] ?? tokenWords(total)[0] ?? '';
};

/** "12.3k". */
export const shortCount = (count: number): string => {
  if (count < 1_000) return String(count);
  if (count < 1_000_000) return `${(count / 1_000).toFixed(count < 100_000 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
};

/** "$0.42", "0.42 EUR". Below a cent: "< $0.01". */
export const costWord = ({ amount, currency }: Total['costs'][number]): string => {
  const isTiny = amount > 0 && amount < 0.01;
  const shown = (isTiny ? 0.01 : amount).toFixed(2);
  return `${isTiny ? '< ' : ''}${currency === 'USD' ? `$${shown}` : `${shown} ${safe(currency)}`}`;
};

const costWords = ({ costs }: Total): readonly string[] =>
  costs.length === 0 ? [] : [costs.map(costWord).join(' + ')];

/** `at least`: some replies came without counts. */
const tokenWords = ({ tokens, uncounted }: Total): readonly string[] => {
  const all = tokens.input + tokens.output;
  return all === 0 ? [] : [`${uncounted > 0 ? 'at least ' : ''}${shortCount(all)} tokens`];
};
