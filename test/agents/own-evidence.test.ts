import { expect, test } from 'vitest';
import { onOwnEvidence } from '../../src/agents/roles/own-evidence.ts';

const met = (criterion: string, evidence: string) => ({ criterion, status: 'met', evidence }) as const;

test('a criterion that the answer does not name, or calls met without evidence, was not checked', () => {
  expect(onOwnEvidence(['it adds', 'it rounds'], [met('It adds.', '')])).toEqual([
    { criterion: 'it adds', status: 'not checked', evidence: 'marked met without evidence' },
    { criterion: 'it rounds', status: 'not checked', evidence: 'the answer does not name it' },
  ]);
});

test('criteria are those of the task, in its order, also where the agent worded them anew', () => {
  const given = [met('rounding works', 'test/round.js:3'), met('addition works', 'test/add.js:1')];
  expect(onOwnEvidence(['it rounds', 'it adds'], given).map(({ criterion }) => criterion)).toEqual([
    'it rounds',
    'it adds',
  ]);
  expect(onOwnEvidence([], given)).toEqual(given);
});
