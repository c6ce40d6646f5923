import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../../../src/base/hash.io.ts';
import { createWorld } from '../../../src/cli/world.ts';
import { createMailbox } from '../../../src/signals/mailbox/create-mailbox.ts';
import { median, type Row, sample } from '../measure.ts';

const times = 5_000;

/** What an agent pays for looking into an empty mailbox, beside one bare `readdirSync`. */
export const checkpoint = async (): Promise<readonly Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  try {
    const { disk, clock, random, spawn } = createWorld();
    const directory = join(folder, 'signals');
    const mailbox = createMailbox(disk, clock, random, {
      directory,
      owner: spawn.self,
      isAlive: spawn.isAlive,
      hash: sha256,
    });
    const fault = mailbox.open();
    if (fault) throw new Error(fault.what);
    const inputs = join(directory, 'inputs');
    const bare = median(sample(times, () => void readdirSync(inputs)));
    const ours = median(sample(times, () => void mailbox.peek()));
    return [
      {
        name: 'empty checkpoint, p50',
        value: ours * 1_000,
        unit: 'µs',
        base: { name: 'readdirSync', value: bare * 1_000 },
        target: '≤ 4×, and < 50 µs where that takes ≤ 12.5 µs',
        ok: ours <= 4 * bare && (bare > 0.0125 || ours < 0.05),
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
};
