import { expect, test } from 'vitest';
import { formatDecision, parseDecision } from '../../src/signals/steer-decision.ts';

test.each([
  [{ verdict: 'adjust', evidence: 'b.txt', action: 'STEER applied in-place' }, '; evidence: b.txt'],
  [{ verdict: 'adjust', evidence: '', action: 'STEER applied in-place' }, ''],
] as const)('a decision names its evidence where it has some, and reads back: %j', (decision, end) => {
  const text = formatDecision(decision);
  expect(text).toBe(`adjust: STEER applied in-place${end}`);
  expect(parseDecision(text)).toEqual(decision);
});
