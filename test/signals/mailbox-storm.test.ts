import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { storm } from '../torture/mailbox-storm.ts';

const root = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

it('a storm of processes that are killed loses nothing, acts on nothing half written and archives nothing twice', async () => {
  const result = await storm({ signals: 1_000, producers: 2, consumers: 2, root });
  expect(result.problems).toEqual([]);
  expect(result.reported).toBe(1_000);
  expect(result.archived).toBeGreaterThanOrEqual(1_000);
  expect(result.kills).toBeGreaterThan(3);
}, 120_000);
