import { describe, expect, test } from 'vitest';
import { createRedact } from '../../src/base/redact.ts';
import { plainRecord } from '../../src/observability/debug/debug-record.ts';
import { redactParams } from '../../src/observability/debug/redact-params.ts';
import { signatureOf } from '../../src/observability/debug/signature.ts';
import { processorTime } from '../helpers/processor-time.ts';

const of = (error: string, change: Partial<ReturnType<typeof plainRecord>> = {}): string =>
  signatureOf({
    ...plainRecord('tool', 'edit', 'call'),
    ok: false,
    error_type: 'tool-failed',
    error,
    ...change,
  });

describe('errors that are one', () => {
  test.each([
    [
      'request 3f2b8c1e-9d4a-4e6b-8f0a-1c2d3e4f5a6b failed',
      'request 00000000-1111-2222-3333-444444444444 failed',
    ],
    ['at 2026-02-15T10:15:00+07:00', 'at 2026-11-23 14:05:59.123 UTC'],
    ['no such file: /home/kim/project/src/a.ts', 'no such file: /root/src/b.ts'],
    ['no such file: ~/x/y.ts', 'no such file: /tmp/ralph-1a2b/y.ts'],
    ['commit 9f279c35 is gone', 'commit 9f279c35d29893e4b1f0c7a6e5d4c3b2a1908070 is gone'],
    ['timed out after 30s', 'timed out after 1500 ms'],
    ['the answer has 12 MB', 'the answer has 900 kB'],
    [`unexpected "${'a'.repeat(41)}"`, `unexpected "${'b c '.repeat(20)}"`],
    ['exit 1 on line 12', 'exit 137 on line 4000'],
    ['attempt 999999', 'attempt 12345678'],
    ['in /a/b.ts:12:5', 'in /c/d/e.ts:7:19'],
  ])('%s = %s', (one, other) => expect(of(one)).toBe(of(other)));
});

describe('errors that are two', () => {
  test.each([
    ['permission denied', 'permission granted'],
    ['no such file: a.ts', 'no such directory: a.ts'],
    ['expected "abc"', 'expected "abd"'],
    ['the deadbee handler', 'the cafe handler'],
    ['GET https://api.example.org/v1/users', 'GET https://api.example.org/v1/teams'],
  ])('%s ≠ %s', (one, other) => expect(of(one)).not.toBe(of(other)));

  test('the same message of another category, name or type is another error', () => {
    const message = 'not found';
    const all = [
      of(message),
      of(message, { type: 'agent' }),
      of(message, { name: 'read' }),
      of(message, { error_type: 'refused' }),
    ];
    expect(new Set(all).size).toBe(4);
  });
});

test('a message that is built to be slow takes no time', () => {
  const slow = `${'/a'.repeat(50_000)}"${"'".repeat(50_000)}${'1-'.repeat(50_000)}${'ab1'.repeat(50_000)}`;
  expect(processorTime(() => void of(slow), 1)).toBeLessThan(1_000);
});

test('parameters lose secrets by key and by value, at any depth; author, keyword, monkey and counts stay', () => {
  const redact = createRedact(['opensesame-1']);
  const clean = redactParams(redact, {
    author: 'kim',
    keyword: 'x',
    monkey: 'y',
    tokens: 12,
    path: '/a/b',
    apiKey: 'k1',
    headers: { Authorization: 'Basic abc', 'Set-Cookie': 'a=b', accept: 'text/html' },
    list: [{ deep: { password: 'p', note: 'say opensesame-1 now' } }],
    credentials: { user: 'kim', pin: 4711 },
    text: 'token ghp_0123456789abcdefghij0123',
  });
  expect(clean).toEqual({
    author: 'kim',
    keyword: 'x',
    monkey: 'y',
    tokens: 12,
    path: '/a/b',
    apiKey: '[redacted]',
    headers: { Authorization: '[redacted]', 'Set-Cookie': '[redacted]', accept: 'text/html' },
    list: [{ deep: { password: '[redacted]', note: 'say [redacted] now' } }],
    credentials: { user: '[redacted]', pin: 4711 },
    text: 'token [redacted]',
  });
});
