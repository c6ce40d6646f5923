import { expect, test } from 'vitest';
import { Exit } from '../../src/cli/cli.ts';
import { report } from '../../src/cli/program.ts';
import { rowWords } from '../../src/cli/session/list-sessions.ts';
import { statusWords } from '../../src/session/status.ts';

test('--json names every fault of an input', () => {
  const printed: unknown[] = [];
  const fault = (what: string) => ({ code: 'plan-invalid', where: 'plan.yaml:3', what });
  // Only the printing is used.
  const cli = { printJson: (value: unknown) => printed.push(value) } as never;
  expect(report(new Exit(2, fault('one'), [fault('two'), fault('three')]), true, cli)).toBe(2);
  expect(printed).toEqual([
    {
      type: 'error',
      error: {
        code: 'plan-invalid',
        message: 'plan.yaml:3: one',
        hint: null,
        more: ['two', 'three'].map((what) => ({
          code: 'plan-invalid',
          message: `plan.yaml:3: ${what}`,
          hint: null,
        })),
      },
    },
  ]);
});

test('a list of sessions and a status have one word for one state', () => {
  const row = { status: 'awaiting_feedback', state: 'COMPLETE', host: null } as never;
  expect(rowWords(row)).toBe('ended with failures');
  expect(statusWords('awaiting_feedback')).toBe('ended with failures');
});
