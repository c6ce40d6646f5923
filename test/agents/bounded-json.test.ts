import { expect, test } from 'vitest';
import { boundedJson, deepestJson, isTooDeep } from '../../src/agents/bounded-json.ts';
import { lastJson } from '../../src/agents/replies/last-json.ts';

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test('a value is read down to the deepest level, and not below it', () => {
  expect(boundedJson(nested(deepestJson))).toBeInstanceOf(Array);
  expect(boundedJson(nested(deepestJson + 1))).toBeUndefined();
  expect(boundedJson('{"a": 1}')).toEqual({ a: 1 });
  expect(boundedJson('{"a": ')).toBeUndefined();
});

test('brackets in strings do not count, whatever is escaped in them', () => {
  const brackets = '['.repeat(1_000);
  for (const text of [brackets, `\\"${brackets}`, `\\\\\\"${brackets}`])
    expect(isTooDeep(`{"a":"${text}","b":[]}`)).toBe(false);
  expect(isTooDeep(`{"a":"\\\\","b":${brackets}`)).toBe(true);
  expect(isTooDeep(`"${brackets}`)).toBe(false);
});

test('an answer of 120 kB of brackets is no answer, and one after it is', () => {
  expect(lastJson(`{"a":${nested(60_000)}}`)).toBeUndefined();
  expect(lastJson(`${nested(60_000)}\n{"status":"completed"}`)).toEqual({ status: 'completed' });
});
