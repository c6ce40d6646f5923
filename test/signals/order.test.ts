import { describe, expect, it } from 'vitest';
import { compareOrdered, orderOf } from '../../src/signals/order.ts';
import type { PendingSignal, Signal } from '../../src/signals/signal.ts';

const pendingSignal = (file: string, signal: Partial<Signal> = {}): PendingSignal => ({
  id: file,
  file,
  signal: { type: 'INFO', target: 'ALL', message: 'm', ...signal },
});

/** The files in the order in which they are handled; each was last changed in 2026. */
const order = (...pendingSignals: readonly PendingSignal[]): readonly string[] =>
  pendingSignals
    .map((each) => orderOf(each, Date.UTC(2026, 5, 1), () => 420))
    .sort(compareOrdered)
    .map((each) => each.pendingSignal.file);

describe('the order of signals (rule 4)', () => {
  it('is by the instant in the name, whatever the form of the name', () => {
    // 09:00Z, 14:30 local = 07:30Z, 08:00Z; by raw name the order would be another.
    expect(
      order(
        pendingSignal('signal.260208-090000Z.yaml'),
        pendingSignal('signal.20260208-143000.yaml'),
        pendingSignal('signal.260208-080000Z.yaml'),
      ),
    ).toEqual(['signal.20260208-143000.yaml', 'signal.260208-080000Z.yaml', 'signal.260208-090000Z.yaml']);
  });

  it('is by created_at, then by name, within one instant', () => {
    expect(
      order(
        pendingSignal('signal.260208-090000Z-c1.yaml', { created_at: '2026-02-08T09:00:00.200Z' }),
        pendingSignal('signal.260208-090000Z-b1.yaml'),
        pendingSignal('signal.260208-090000Z-d1.yaml', { created_at: '2026-02-08T09:00:00.100Z' }),
        pendingSignal('signal.260208-090000Z-a1.yaml'),
      ),
    ).toEqual([
      'signal.260208-090000Z-a1.yaml',
      'signal.260208-090000Z-b1.yaml',
      'signal.260208-090000Z-d1.yaml',
      'signal.260208-090000Z-c1.yaml',
    ]);
  });

  it('falls back to created_at, then to the last change, for other names', () => {
    expect(
      order(
        pendingSignal('late.yaml'),
        pendingSignal('signal.260301-000000Z.yaml'),
        pendingSignal('early.yaml', { created_at: '2026-01-01T00:00:00Z' }),
      ),
    ).toEqual(['early.yaml', 'signal.260301-000000Z.yaml', 'late.yaml']);
  });

  it('lets ABORT, then PAUSE, overtake the queue', () => {
    expect(
      order(
        pendingSignal('signal.260208-090000Z.yaml'),
        pendingSignal('signal.260208-090001Z.yaml', { type: 'PAUSE' }),
        pendingSignal('signal.260208-090002Z.yaml', { type: 'ABORT' }),
      ),
    ).toEqual(['signal.260208-090002Z.yaml', 'signal.260208-090001Z.yaml', 'signal.260208-090000Z.yaml']);
  });

  it('lets DRAIN overtake messages like PAUSE, and keeps both in the order in which they were asked for', () => {
    expect(
      order(
        pendingSignal('signal.260208-090000Z.yaml'),
        pendingSignal('signal.260208-090002Z.yaml', { type: 'PAUSE' }),
        pendingSignal('signal.260208-090001Z.yaml', { type: 'DRAIN' }),
      ),
    ).toEqual(['signal.260208-090001Z.yaml', 'signal.260208-090002Z.yaml', 'signal.260208-090000Z.yaml']);
  });

  it('keeps PAUSE and RESUME in the order in which they were asked for', () => {
    expect(
      order(
        pendingSignal('signal.260208-090002Z.yaml', { type: 'PAUSE' }),
        pendingSignal('signal.260208-090001Z.yaml', { type: 'RESUME' }),
        pendingSignal('signal.260208-090000Z.yaml', { type: 'STEER', resume: true }),
      ),
    ).toEqual(['signal.260208-090000Z.yaml', 'signal.260208-090001Z.yaml', 'signal.260208-090002Z.yaml']);
  });
});
