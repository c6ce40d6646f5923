import { expect, test } from 'vitest';
import { dueNotice } from '../../src/serve/act/notice.ts';
import type { Need } from '../../src/store/signals/select-needs.ts';

const at = Date.parse('2026-11-28T12:00:00.000Z');
const need = (text: string, seconds: number): Need => ({
  kind: 'question',
  request: text,
  text,
  since: new Date(at + seconds * 1_000).toISOString(),
  noun: 'question',
});
const rule = (seconds: number, content = false) => ({ now: at + seconds * 1_000, afterMs: 30_000, content });
const waiting = (...needs: readonly Need[]) => ({ session: '261128-120000', goal: 'A secret goal', needs });

test('a notice comes once for what has waited long enough, and holds nothing of it unless asked to', () => {
  const told = new Set<string>();
  const one = need('Which port?', 0);
  expect(dueNotice(waiting(one), rule(29), told)).toBeNull();
  const notice = dueNotice(waiting(one), rule(30), told);
  expect(notice).toEqual({ session: '261128-120000', kind: 'question', since: one.since, waiting: 1 });
  expect(dueNotice(waiting(one), rule(90), told)).toBeNull();
  expect(dueNotice(waiting(one, need('And which host?', 60)), rule(91, true), told)).toMatchObject({
    goal: 'A secret goal',
    text: 'And which host?',
    waiting: 2,
  });
});
