import { expect, test } from 'vitest';
import { faultSentence } from '../../src/base/fault.ts';
import { formatFindings } from '../../src/cli/report/format-findings.ts';
import { widthOf } from '../../src/words/width.ts';

const findings = [
  { check: 'node', ok: true, found: '24.21.0', problem: null, hint: null },
  {
    check: 'agents',
    ok: false,
    found: 'one is there '.repeat(30).trim(),
    problem: 'another one is not installed',
    hint: 'install it with `npm install -g another`',
  },
];

test('rows of doctor fit the terminal, and what is wrong stands below what was found', () => {
  const lines = formatFindings(findings, 80).split('\n');
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
  expect(lines[0]).toBe('ok     node    24.21.0');
  expect(lines[1]).toMatch(/^wrong {2}agents {2}one is there/);
  expect(lines.at(-2)).toMatch(/^ {15}another one is not installed; /);
  const piped = formatFindings(findings, null).split('\n');
  expect(Math.max(...piped.map(widthOf))).toBeLessThanOrEqual(120);
  expect(piped.length).toBeGreaterThan(3);
});

test('a sentence that ends before its hint has no full stop in the middle', () => {
  const left = {
    check: 'worktrees',
    ok: false,
    found: 'left over',
    problem: 'The branch x is left.',
    hint: 'clear it',
  };
  expect(formatFindings([left], null)).toMatch(/The branch x is left; clear it$/);
  expect(faultSentence({ what: 'It waits ...', hint: 'look' })).toBe('It waits ...; look.');
});

test('a sentence of a fault ends in one full stop, whatever a program printed', () => {
  expect(faultSentence({ what: 'git says: not possible.' })).toBe('git says: not possible.');
  expect(faultSentence({ what: 'it is gone', hint: 'look' })).toBe('it is gone; look.');
});
