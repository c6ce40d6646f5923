import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { claimed, handling, mailboxOn, published } from '../helpers/mailbox.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { tempDir } from '../helpers/temp-dir.ts';

it('a clock that steps back loses no signal, uses no name twice and changes no order', () => {
  const directory = join(tempDir(), 'signals');
  const manual = createManualClock();
  let back = 0;
  const clock: Clock = { ...manual, now: () => manual.now() - back };
  const mailbox = mailboxOn(createDisk(), { directory, clock });
  expect(mailbox.open()).toBeNull();
  // An hour back every few signals, as when a laptop finds its time server: what was asked first is still told first.
  const messages = Array.from({ length: 40 }, (_, at) => `message ${at}`);
  const files = messages.map((message, at) => {
    if (at % 8 === 7) back += 3_600_000;
    manual.advance(at % 3);
    return published(mailbox, { type: 'INFO', message }).file;
  });
  expect(new Set(files).size).toBe(files.length);
  expect([...files].sort()).toEqual(files);
  const { pendingSignals } = mailbox.peek();
  expect(pendingSignals.map(({ signal }) => signal.message)).toEqual(messages);
  for (const pendingSignal of pendingSignals) {
    back += 60_000;
    expect(mailbox.archive(claimed(mailbox, pendingSignal), handling('told'))).toBeNull();
  }
  expect(readdirSync(join(directory, 'processed')).sort()).toEqual(files);
  expect(mailbox.list().map(({ stage, signal }) => [stage, signal?.message])).toEqual(
    messages.map((message) => ['processed', message]),
  );
});
