import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createClock } from '../../src/base/clock.io.ts';
import type { Clock } from '../../src/base/clock.ts';
import { createLookAtHost } from '../../src/discovery/probes/look-at-host.io.ts';

const real = createClock();

/** The machine has no time for this program right after its first timer is armed. */
const stalling = (ms: number): Clock => {
  let stalled = false;
  return {
    ...real,
    after: (wait, run) => {
      const cancel = real.after(wait, run);
      if (!stalled) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
      stalled = true;
      return cancel;
    },
  };
};

test('a host that answered while this program did not run is there', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const { signal } = new AbortController();
  const look = createLookAtHost(stalling(700));
  expect(await look('127.0.0.1', address.port, 300, signal)).toBe(true);
});
