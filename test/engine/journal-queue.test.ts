import { expect, test } from 'vitest';
import { createJournalQueue, type JournalQueuePorts } from '../../src/engine/journal-queue.ts';
import type { Event } from '../../src/pipeline/event.ts';
import { createManualClock } from '../helpers/manual-clock.ts';

const event: Event = {
  type: 'problem.found',
  fault: { code: 'any', what: 'something' },
  seq: 1,
  at: '2026-02-15T10:15:00.000Z',
};

/** A journal in memory whose disk and lock are as the test says. */
const scene = () => {
  const there = { full: false, ours: true, asked: 0 };
  const appended: Event[] = [];
  const faults: string[] = [];
  const reach = (): void => {
    if (there.full) throw new Error('no room');
  };
  const ports: JournalQueuePorts = {
    clock: createManualClock(),
    journal: {
      append: (line) => void appended.push(line),
      write: reach,
      flush: reach,
      close: reach,
      takeCut: () => null,
    },
    stillOurs: () => {
      there.asked += 1;
      return there.ours;
    },
    broken: ({ code }) => void faults.push(code),
  };
  return { there, appended, faults, journal: createJournalQueue(ports) };
};

test('the lock is looked at once for lines that are handed over together, and again for the next', () => {
  const { there, appended, journal } = scene();
  expect([journal.append(event), journal.append(event)]).toEqual([true, true]);
  expect(there.asked).toBe(1);
  journal.rest();
  expect(journal.append(event)).toBe(true);
  expect(there.asked).toBe(2);
  expect(appended).toHaveLength(3);
});

test.each(['flush', 'write'] as const)(
  'after a %s that failed a lost lock is not written past either',
  (way) => {
    const { there, appended, faults, journal } = scene();
    journal.append(event);
    there.full = true;
    journal[way]();
    there.ours = false;
    expect(journal.append(event)).toBe(false);
    expect(appended).toHaveLength(1);
    expect(faults.at(-1)).toBe('lock-lost');
  },
);
