import { expect, test } from 'vitest';
import { type CommandResult, describeResult, firstFailed } from '../../src/agents/command-result.ts';
import { causeOf } from '../../src/pipeline/events/failure-cause.ts';
import { failureClause, failureWords } from '../../src/words/events/failure-words.ts';

const result = (exit: string, tail: string): CommandResult => ({
  text: 'npm test',
  purpose: 'run',
  exit,
  ok: false,
  duration_ms: 1_200,
  tail,
});

const leads = [
  ['', 'work'],
  ['verify: ', 'verify'],
  ['review: ', 'review'],
  ['review by ann: ', 'review'],
  ['after the merge: ', 'merge'],
] as const;

test('a journal from before causes has the cause that is recorded today, from its sentence', () => {
  for (const [lead, who] of leads)
    for (const exit of ['1', '127', 'SIGKILL', 'timed out'])
      for (const tail of ['', 'Error: 2 failed: a.ts', 'line 1\nline 2']) {
        const { failed } = firstFailed([result(exit, tail)]);
        expect(causeOf(`${lead}${describeResult(result(exit, tail))}`)).toEqual({ who, command: failed });
      }
  expect(causeOf('review: the greeting is `not` there')).toEqual({ who: 'review' });
  expect(causeOf('merge: take mine')).toEqual({ who: 'person' });
  expect(causeOf('Task definition missing')).toEqual({ who: 'definition' });
  expect(causeOf('it gave up')).toEqual({ who: 'work' });
});

test('a command that a signal ended is named like one that exited', () => {
  const killed = { who: 'work', ...command('SIGKILL', '') } as const;
  expect(failureWords('`npm test` was terminated by SIGKILL after 1 s', killed)).toEqual({
    long: '`npm test` was terminated by SIGKILL after 1 s',
    brief: 'SIGKILL',
    short: 'SIGKILL',
  });
  expect(failureClause('`npm test` was terminated by SIGKILL after 1 s', killed)).toBe('npm test SIGKILL');
});

test('a failure has a long, a brief and a short form, and a clause', () => {
  const reason = 'verify: `npm test` exited 3 after 1 s: 2 failed.';
  const cause = { who: 'verify', ...command('3', '2 failed.') } as const;
  expect(failureWords(reason, cause)).toEqual({
    long: reason,
    brief: 'verify: exit 3: 2 failed.',
    short: 'verify: exit 3',
  });
  expect(failureClause(reason, cause)).toBe('2 failed');
  expect(failureWords('it gave up', { who: 'work' }).short).toBe('it gave up');
  expect(failureWords('x', { who: 'work', ...command('127', 'sh: 1: uv: not found') }).short).toBe(
    'uv: not found',
  );
});

const command = (exit: string, said: string) => ({ command: { text: 'npm test', exit, said } });
