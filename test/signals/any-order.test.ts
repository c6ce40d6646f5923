import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareOrdered, orderOf } from '../../src/signals/order.ts';
import { type Signal, signalTypeSchema } from '../../src/signals/signal.ts';
import { anyText } from '../helpers/any-text.ts';
import { draws } from '../helpers/test-form.ts';

const stamp = fc.integer({ min: 0, max: 3 }).map((second) => `260208-14300${second}`);
const file = fc.oneof(
  fc
    .tuple(stamp, fc.constantFrom('', 'Z', '+0700', '-123', 'Z-123abcde', '-x'))
    .map(([at, rest]) => `signal.${at}${rest}.yaml`),
  fc.constantFrom('signal.19700101-000000Z.yaml', 'signal.20991231-235959Z.yaml', 'a.yaml', 'b.yaml'),
  anyText.map((text) => `${text}.yaml`),
);
const signal: fc.Arbitrary<Signal> = fc.record(
  {
    type: fc.constantFrom(...signalTypeSchema.options),
    target: fc.constant('ALL' as const),
    message: fc.constant('m'),
    created_at: fc.oneof(fc.constantFrom('2026-02-08T14:30:00+07:00', '1970-01-01', 'nonsense'), anyText),
    resume: fc.boolean(),
  },
  { requiredKeys: ['type', 'target'] },
);
/** PendingSignals as a directory gives them: a name once. */
const pendingSignals = fc.uniqueArray(
  fc.record({ file, signal, mtime: fc.double({ min: 0, max: 4e12, noNaN: true }) }),
  {
    selector: (each) => each.file,
    maxLength: 12,
  },
);

const ordered = (each: { readonly file: string; readonly signal: Signal; readonly mtime: number }) =>
  orderOf({ id: each.file, file: each.file, signal: each.signal }, each.mtime, () => 420);

it('the order of signals is total: any two differ, whichever comes first, and a third never comes between the wrong way', () => {
  fc.assert(
    fc.property(pendingSignals, (all) => {
      const each = all.map(ordered);
      for (const a of each)
        for (const b of each) {
          const ab = Math.sign(compareOrdered(a, b));
          expect(ab).toBe(a === b ? 0 : -Math.sign(compareOrdered(b, a)));
          expect(a === b || ab !== 0).toBe(true);
          for (const c of each)
            if (ab < 0 && compareOrdered(b, c) < 0) expect(compareOrdered(a, c)).toBeLessThan(0);
        }
    }),
    draws(300),
  );
});

it('the order of signals is the same however the directory lists them', () => {
  const names = (all: readonly Parameters<typeof ordered>[0][]): readonly string[] =>
    all
      .map(ordered)
      .sort(compareOrdered)
      .map(({ pendingSignal }) => pendingSignal.file);
  fc.assert(
    fc.property(
      pendingSignals.chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
      ),
      ([listed, otherwise]) => {
        expect(names(otherwise)).toEqual(names(listed));
      },
    ),
  );
});
