import { describe, expect, it } from 'vitest';
import {
  classifyName,
  escapeName,
  formatSignalName,
  nameProblem,
  parseInstant,
  parseSignalName,
  suffixName,
} from '../../src/signals/mailbox/names.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';

const bangkok = (): number => 420;
const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

describe('formatSignalName', () => {
  it('writes UTC, the millisecond and a random end', () => {
    const name = formatSignalName(Date.UTC(2026, 1, 8, 7, 30, 0, 45), createSeededRandom(1));
    expect(name).toMatch(/^signal\.260208-073000Z-045[0-9a-f]{6}\.yaml$/);
  });

  it.each([0, Date.UTC(1970, 0, 1, 0, 0, 1), Date.UTC(2026, 1, 8), Date.UTC(2099, 11, 31, 23, 59, 59, 999)])(
    'writes %d so that it is read back to the millisecond',
    (at) => {
      expect(parseSignalName(formatSignalName(at, createSeededRandom(7)), bangkok)).toBe(at);
    },
  );
});

describe('parseSignalName', () => {
  it.each<[string, string | null]>([
    ['signal.260208-143000.yaml', '2026-02-08T07:30:00.000Z'],
    ['signal.20260208-143000.yaml', '2026-02-08T07:30:00.000Z'],
    ['signal.260208-143000.yml', '2026-02-08T07:30:00.000Z'],
    ['signal.260208-143000Z.yaml', '2026-02-08T14:30:00.000Z'],
    ['signal.260208-143000+0900.yaml', '2026-02-08T05:30:00.000Z'],
    ['signal.260208-143000-0500.yaml', '2026-02-08T19:30:00.000Z'],
    ['signal.260208-143000-123.yaml', '2026-02-08T07:30:00.123Z'],
    ['signal.260208-143000-a1b2.yaml', '2026-02-08T07:30:00.000Z'],
    ['signal.260208-143000-1234.yaml', '2026-02-08T07:30:00.000Z'],
    ['signal.260208-143000Z-123a1b2c3.yaml', '2026-02-08T14:30:00.123Z'],
    ['260208-143000.yaml', '2026-02-08T07:30:00.000Z'],
    ['signal.19700101-000000Z.yaml', '1970-01-01T00:00:00.000Z'],
    ['signal.20991231-235959Z.yaml', '2099-12-31T23:59:59.000Z'],
    ['signal.991231-235959Z.yaml', '2099-12-31T23:59:59.000Z'],
    ['signal.260230-143000.yaml', null],
    ['signal.260208-256000.yaml', null],
    ['signal.2602081-143000.yaml', null],
    ['pause.yaml', null],
    ['signal.yaml', null],
  ])('reads %s as %s', (name, expected) => {
    expect(iso(parseSignalName(name, bangkok))).toBe(expected);
  });
});

describe('parseInstant', () => {
  it.each<[string, string | null]>([
    ['2026-02-08T14:30:00+07:00', '2026-02-08T07:30:00.000Z'],
    ['2026-02-08T14:30:00+0700', '2026-02-08T07:30:00.000Z'],
    ['2026-02-08T14:30:00.5Z', '2026-02-08T14:30:00.500Z'],
    ['2026-02-08 14:30', '2026-02-08T07:30:00.000Z'],
    ['2026-02-08 9:30:00-05', '2026-02-08T14:30:00.000Z'],
    ['2026-02-08', '2026-02-07T17:00:00.000Z'],
    ['yesterday', null],
    ['2026-02-31T00:00:00Z', null],
  ])('reads %s as %s', (text, expected) => {
    expect(iso(parseInstant(text, bangkok))).toBe(expected);
  });
});

describe('names in inputs/', () => {
  it.each<[string, ReturnType<typeof classifyName>]>([
    ['signal.260208-143000.yaml', 'signal'],
    ['pause.yml', 'signal'],
    ['.pause.yaml', 'scratch'],
    ['.#pause.yaml', 'scratch'],
    ['pause.yaml~', 'scratch'],
    ['pause.yaml.swp', 'scratch'],
    ['4913', 'scratch'],
    ['a\nb.yaml', 'unusable'],
    ['a\u001b[31m.yaml', 'unusable'],
    ['a\udcffb.yaml', 'unusable'],
    [`${'x'.repeat(250)}.yaml`, 'unusable'],
  ])('%j is %s', (name, kind) => {
    expect(classifyName(name)).toBe(kind);
  });

  it('are escaped where they cannot be kept, and cut to fit', () => {
    expect(escapeName('a\nb\u001b\udcff\u0085é.yaml')).toBe('a%0Ab%1B%FF%C2%85é.yaml');
    const long = escapeName('é'.repeat(200));
    expect(long).toBe('é'.repeat(70));
    expect(nameProblem(long)).toBeNull();
  });

  it('get a suffix before their ending', () => {
    expect(suffixName('signal.260208-143000.yaml', 'ab12')).toBe('signal.260208-143000-ab12.yaml');
  });
});
