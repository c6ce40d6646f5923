import { expect, test } from 'vitest';
import { formatSignalEvent } from '../../src/words/events/signal-sentence.ts';

const rejected = (file: string): string =>
  formatSignalEvent({
    type: 'signal.rejected',
    id: null,
    file,
    reason: 'its name is too long',
    seq: 1,
    at: '2026-02-15T10:15:00.000Z',
  });

test('a rejected file is named with its reason, and a long name leaves the reason on the line', () => {
  expect(rejected('note.yaml')).toBe('signal note.yaml rejected: its name is too long');
  const long = rejected(`note-${'x'.repeat(200)}.yaml`);
  expect(long).toMatch(/^signal note-x+…x+\.yaml rejected: its name is too long$/);
  expect(long).toHaveLength('signal  rejected: its name is too long'.length + 48);
});
