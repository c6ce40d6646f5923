import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../../../src/base/hash.io.ts';
import { createWorld } from '../../../src/cli/world.ts';
import { createMailbox } from '../../../src/signals/mailbox/create-mailbox.ts';
import { atMost, median, type Row, sampleTurns } from '../measure.ts';

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
    const turns = sampleTurns(
      times,
      () => void mailbox.peek(),
      () => void readdirSync(inputs),
    );
    const [ours, bare] = [median(turns.ours), median(turns.base)];
    return [
      {
        name: 'empty checkpoint, p50',
        value: ours * 1_000,
        unit: 'µs',
        base: { name: 'readdirSync', value: bare * 1_000 },
        ...atMost(2.6, ours, bare),
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
};
