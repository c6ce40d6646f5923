import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Column, decodeColumn, encodeColumn } from '../../src/observability/columns.ts';

const throughText = (values: readonly unknown[]): readonly unknown[] => {
  const column: Column = JSON.parse(JSON.stringify(encodeColumn(values)));
  return decodeColumn(column);
};

test('any JSON values come back in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (values) => {
      const plain: unknown = JSON.parse(JSON.stringify(values));
      expect(throughText(values)).toEqual(plain);
    }),
  );
});

test('records of a few shapes come back, also with fields that are missing, records inside and a field __proto__', () => {
  const inner = fc.record({ list: fc.constantFrom([], [1]), text: fc.string() });
  const row = fc.record(
    { id: fc.string(), count: fc.constantFrom(0, 1), inner, ['__proto__']: fc.constant('mine') },
    { requiredKeys: ['id', 'inner'] },
  );
  fc.assert(
    fc.property(fc.array(row), (values) => {
      const plain: unknown = JSON.parse(JSON.stringify(values));
      expect(throughText(values)).toEqual(plain);
    }),
  );
});

test('each key and each repeated value stands in the text once', () => {
  const records = Array.from({ length: 100 }, (_, at) => ({ id: `t${at}`, failures: 0, files: [] }));
  const text = JSON.stringify(encodeColumn(records));
  expect(text.split('failures')).toHaveLength(2);
  expect(text.length).toBeLessThan(JSON.stringify(records).length / 4);
});
