import { expect, test } from 'vitest';
import type { Need } from '../../components/needs/select-needs.ts';
import { dueNotice } from '../../src/serve/act/notice.ts';

const at = Date.parse('2026-11-28T12:00:00.000Z');
const need = (text: string, seconds: number): Need => ({
  kind: 'question',
  request: text,
  text,
  since: new Date(at + seconds * 1_000).toISOString(),
  noun: 'question',
});
const rule = (seconds: number, content = false, seenAt = 0) => ({
  now: at + seconds * 1_000,
  seenAt,
  afterMs: 30_000,
  content,
});
const waiting = (...needs: readonly Need[]) => ({ session: '261128-120000', goal: 'A secret goal', needs });

test('a notice comes once for what has waited long enough, and holds nothing of it unless asked to', () => {
  const told = new Set<string>();
  const one = need('Which port?', 0);
  expect(dueNotice(waiting(one), rule(29), told)).toEqual({ kind: 'later', inMs: 1_000 });
  expect(dueNotice(waiting(one), rule(30), told)).toEqual({
    kind: 'tell',
    notice: { session: '261128-120000', kind: 'question', since: one.since, waiting: 1 },
  });
  expect(dueNotice(waiting(one), rule(90), told)).toEqual({ kind: 'nothing' });
  const both = waiting(one, need('And which host?', 60));
  expect(dueNotice(both, rule(61), told)).toEqual({ kind: 'later', inMs: 29_000 });
  expect(dueNotice(both, rule(91, true), told)).toMatchObject({
    notice: { goal: 'A secret goal', text: 'And which host?', waiting: 2 },
  });
});

test('who has just looked at a session is not told at once of what they saw', () => {
  const told = new Set<string>();
  const seenAt = at + 50_000;
  expect(dueNotice(waiting(need('Which port?', 0)), rule(60, false, seenAt), told)).toEqual({
    kind: 'later',
    inMs: 20_000,
  });
  expect(dueNotice(waiting(need('Which port?', 0)), rule(80, false, seenAt), told)).toMatchObject({
    kind: 'tell',
  });
});
