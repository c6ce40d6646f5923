import { expect, test } from 'vitest';
import type { Event } from '../../src/pipeline/event.ts';
import { invocationNote } from '../../src/words/invocation-note.ts';

test('a STEER in the output is told in words for people, without the trace for programs', () => {
  const event: Event = {
    seq: 1,
    at: '2026-02-15T03:15:00.000Z',
    type: 'steer.decided',
    id: 's1',
    invocation: 'Executor-6',
    verdict: 'adjust',
    action: 'STEER applied in-place: use bar',
    evidence: 'no file was changed',
  };
  expect(invocationNote(event)?.text).toBe('STEER adjusted its work: use bar (no file was changed)');
});
