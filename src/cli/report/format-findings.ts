import { formatFault } from '../../base/fault.ts';
import { safe } from '../../base/safe.ts';
import { wrap } from '../../words/width.ts';
import type { Finding } from './finding.ts';

/** Columns of a line where a terminal has more: longer lines are hard to read. */
const widest = 120;

/**
 * The findings of `doctor` in rows: how it is, what was looked at and what was found, wrapped to the width, and what is wrong below it. `null`: no terminal
 * reads it, and lines are as wide as the widest one there; programs read `--json`.
 */
export const formatFindings = (findings: readonly Finding[], columns: number | null): string => {
  const names = Math.max(0, ...findings.map(({ check }) => check.length));
  const indent = 7 + names + 2;
  const width = Math.max(30, Math.min(columns ?? widest, widest) - indent);
  return findings
    .flatMap(({ ok, check, found, problem, hint }) => {
      const told =
        problem === null ? hint : formatFault({ what: problem, ...(hint === null ? {} : { hint }) });
      const wrong = told === null ? [] : wrap(safe(told), width);
      // What is good and comes with a hint is less than it could be.
      const word = ok ? (hint === null ? 'ok' : 'note') : 'wrong';
      const [first = '', ...more] = [...wrap(safe(found), width), ...wrong];
      return [
        `${word.padEnd(7)}${check.padEnd(names + 2)}${first}`.trimEnd(),
        ...more.map((line) => `${' '.repeat(indent)}${line}`.trimEnd()),
      ];
    })
    .join('\n');
};
