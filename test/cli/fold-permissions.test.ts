import { expect, test } from 'vitest';
import { createPlainLog } from '../../src/cli/plain/plain-log.ts';
import type { Event, EventBody } from '../../src/pipeline/event.ts';

const at = '2026-02-15T10:15:30.000Z';

const logOf = (...bodies: readonly EventBody[]): readonly string[] => {
  const lines: string[] = [];
  const log = createPlainLog((line) => lines.push(line.slice(9)));
  for (const body of bodies) log({ ...body, seq: 1, at } satisfies Event);
  return lines;
};

const invocation = 'Executor-1';
const refused: EventBody = {
  type: 'finding.noted',
  invocation,
  text: 'refused: Edit a.txt (nobody is here)',
  refused: true,
};
const other: EventBody = { type: 'finding.noted', invocation, text: 'something else' };
const asked = (number: number): EventBody => ({
  type: 'permission.asked',
  invocation,
  request: `r${number}`,
  agent: 'odd',
  kind: 'command',
  title: `run ${number}`,
  command: `run ${number}`,
  directory: '/work',
  paths: [],
  diffs: [],
});
const answered = (number: number, decision: 'once' | 'cancelled'): EventBody => ({
  type: 'permission.answered',
  invocation,
  request: `r${number}`,
  decision,
  by: 'kim',
});
const many = (count: number, body: (number: number) => EventBody): readonly EventBody[] =>
  Array.from({ length: count }, (_, index) => body(index + 1));

test('200 refusals are five lines and a count, which comes before the next line of the agent', () => {
  const tool: EventBody = {
    type: 'tool.ended',
    invocation,
    call: 'c',
    ok: true,
    changes: [],
    duration_ms: 1,
  };
  const lines = logOf(...many(200, () => refused).flatMap((body) => [body, tool]), other, refused);
  expect(lines.filter((line) => line.includes('refused:'))).toHaveLength(6);
  expect(lines.slice(5)).toEqual([
    'Executor-1: 195 more refused',
    'Executor-1: something else',
    'Executor-1: refused: Edit a.txt (nobody is here)',
  ]);
});

test('a count that is still open at the end of the session is printed', () => {
  const end: EventBody = {
    type: 'session.stopped',
    session_id: '260215-101500',
    status: 'paused',
    reason: 'quit',
    exit_code: 4,
  };
  expect(logOf(...many(7, () => refused), end).at(-2)).toBe('Executor-1: 2 more refused');
});

test('of 200 open requests five are shown, and each answer shows the next one', () => {
  const lines = logOf(...many(200, asked), answered(1, 'once'), answered(3, 'once'));
  expect(lines).toEqual([
    'Executor-1 odd asks: run 1',
    'Executor-1 odd asks: run 2',
    'Executor-1 odd asks: run 3',
    'Executor-1 odd asks: run 4',
    'Executor-1 odd asks: run 5',
    'Executor-1: more requests are waiting; each answer shows the next one',
    'Executor-1 permission: once',
    'Executor-1 odd asks: run 6',
    'Executor-1 permission: once',
    'Executor-1 odd asks: run 7',
  ]);
});

test('200 requests that the agent withdraws are few lines', () => {
  const lines = logOf(...many(200, asked), ...many(200, (number) => answered(number, 'cancelled')), other);
  expect(lines).toHaveLength(5 + 1 + 5 + 2);
  expect(lines.at(-2)).toBe('Executor-1: 195 more requests answered');
});

test('one request after the other is printed as it comes', () => {
  const lines = logOf(
    ...many(20, (number) => asked(number)).flatMap((body, index) => [body, answered(index + 1, 'once')]),
  );
  expect(lines).toHaveLength(40);
});
