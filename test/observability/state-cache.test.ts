import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { openJournal, readJournal } from '../../src/observability/journal-file.ts';
import { createJournalFold } from '../../src/observability/journal-fold.ts';
import { foldJournal, withStateCache } from '../../src/observability/state-cache.ts';
import { decodeState, encodeState } from '../../src/observability/state-text.ts';
import type { Event } from '../../src/pipeline/event.ts';
import { evolveAll } from '../../src/pipeline/evolve.ts';
import { eventSamples } from '../helpers/event-samples.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { createSimulatedDisk, type SimulatedDisk } from '../helpers/simulated-disk.ts';

const paths = { journal: '/s/journal.jsonl', journalState: '/s/journal.state.json' };
const at = '2026-02-15T03:15:00.000Z';
const sample = fileURLToPath(new URL('../fixtures/journals/waves.jsonl', import.meta.url));
const begun = readFileSync(sample, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): Event => JSON.parse(line));

/** Signals that arrive: enough of them make a journal long. */
const arriving = (from: number, count: number): readonly Event[] =>
  Array.from({ length: count }, (_, index) => ({
    type: 'signal.pending',
    pending: {
      id: `s${from + index}`,
      file: `signal.260215-101500Z-${from + index}.yaml`,
      signal: { type: 'INFO', target: 'ALL', message: 'm'.repeat(500) },
    },
    waits_for: 'nobody',
    seq: from + index,
    at,
  }));

const folded = (disk: SimulatedDisk) => {
  const { events, problems } = readJournal(disk, paths.journal);
  return { state: evolveAll(null, events), problems };
};

/** Fails when there is nothing to replace. */
const changed = (text: string, from: string, to: string): string => {
  expect(text).toContain(from);
  return text.replace(from, to);
};

let disk: SimulatedDisk;
const open = () => withStateCache(disk, createSeededRandom(1), paths, openJournal(disk, paths.journal));
const append = (events: readonly Event[]): void => {
  const journal = open();
  for (const event of events) journal.append(event);
  journal.close();
};

beforeEach(() => {
  disk = createSimulatedDisk();
  disk.mkdir('/s');
});

describe('the cached state of a long journal', () => {
  test('is that of the journal, and the tail is added', () => {
    append([...begun, ...arriving(begun.length + 1, 600)]);
    expect(foldJournal(disk, paths)).toEqual(folded(disk));
    append(arriving(begun.length + 601, 3));
    expect(foldJournal(disk, paths)).toEqual(folded(disk));
    expect(foldJournal(disk, paths).state.signals.size).toBe(603);
  });

  test('saves reading what it covers', () => {
    append([...begun, ...arriving(begun.length + 1, 600)]);
    const text = disk.text(paths.journalState);
    const head = JSON.parse(text.slice(0, text.indexOf('\n')));
    expect(head.offset).toBe(disk.lstat(paths.journal)?.size);
  });

  test('saves reading a journal that nobody wrote to since, and only that', () => {
    append([...begun, ...arriving(begun.length + 1, 600)]);
    let read = 0;
    const counting = {
      ...disk,
      read: (...args: Parameters<typeof disk.read>) => {
        const bytes = disk.read(...args);
        if (args[0].path === paths.journal) read += bytes.length;
        return bytes;
      },
    };
    expect(foldJournal(counting, paths)).toEqual(folded(disk));
    expect(read).toBe(0);
    disk.put(paths.journal, disk.text(paths.journal));
    expect(foldJournal(counting, paths)).toEqual(folded(disk));
    expect(read).toBe(disk.lstat(paths.journal)?.size);
  });

  test('grows with a journal that stays open', () => {
    const journal = open();
    for (const event of [...begun, ...arriving(begun.length + 1, 2_000)]) journal.append(event);
    journal.flush();
    const first = disk.text(paths.journalState);
    expect(foldJournal(disk, paths)).toEqual(folded(disk));
    for (const event of arriving(begun.length + 2_001, 2_000)) journal.append(event);
    journal.flush();
    expect(disk.text(paths.journalState)).not.toBe(first);
    expect(foldJournal(disk, paths)).toEqual(folded(disk));
  });

  test('is not written for a short one', () => {
    append(begun);
    expect(disk.lstat(paths.journalState)).toBeNull();
  });

  test('is not written for a damaged one, whose problems it could not tell', () => {
    append([...begun, ...arriving(begun.length + 5, 600)]);
    expect(disk.lstat(paths.journalState)).toBeNull();
    expect(foldJournal(disk, paths).problems).toHaveLength(1);
  });

  test('that the disk refuses harms nothing', () => {
    append([]);
    const events = [...begun, ...arriving(begun.length + 1, 600)];
    disk.setSpace(events.map((event) => JSON.stringify(event).length + 10).reduce((a, b) => a + b));
    append(events);
    expect(disk.lstat(paths.journalState)).toBeNull();
    expect(foldJournal(disk, paths)).toEqual(folded(disk));
  });
});

describe('a cached state that does not fit is no evidence against the journal', () => {
  const cachedText = (): string => {
    append([...begun, ...arriving(begun.length + 1, 600)]);
    return disk.text(paths.journalState);
  };
  const misfits: readonly (readonly [string, (cached: string) => void])[] = [
    ['edited', (cached) => disk.put(paths.journalState, changed(cached, '"completed"', '"aborted"'))],
    ['of another build', (cached) => disk.put(paths.journalState, changed(cached, 'state-cache', 'older'))],
    ['torn', (cached) => disk.put(paths.journalState, cached.slice(0, cached.length / 2))],
    ['empty', () => disk.put(paths.journalState, '')],
    ['no JSON', () => disk.put(paths.journalState, 'nothing\nat all\n')],
    [
      'of a journal that was edited, byte for byte as long',
      () => disk.put(paths.journal, changed(disk.text(paths.journal), 'title', 'tilte')),
    ],
    [
      'of a journal that was cut',
      () => disk.put(paths.journal, disk.text(paths.journal).split('\n').slice(0, 100).join('\n')),
    ],
    ['of a journal that is gone', () => disk.unlink(paths.journal)],
  ];
  test.each(misfits)('when it is %s', (_, spoil) => {
    spoil(cachedText());
    expect(foldJournal(disk, paths)).toEqual(folded(disk));
  });

  test('and is replaced in silence', () => {
    disk.put(paths.journalState, `${cachedText()}x`);
    append(arriving(begun.length + 601, 1));
    const { state } = foldJournal(disk, paths);
    expect(state).toEqual(folded(disk).state);
    const text = disk.text(paths.journalState);
    expect(JSON.parse(text.slice(0, text.indexOf('\n'))).offset).toBe(disk.lstat(paths.journal)?.size);
  });
});

test('the state survives its text after every type of event', () => {
  const bodies = Object.values(eventSamples);
  const events = bodies.map((body, index): Event => ({ ...body, seq: index + 1, at }));
  for (let end = 0; end <= events.length; end += 1) {
    const state = evolveAll(null, events.slice(0, end));
    expect(decodeState(encodeState(state))).toEqual(state);
  }
});

test('a state with other fields is none', () => {
  expect(decodeState('{"session": "260215-101500"}')).toBeNull();
});

test('a fold that goes on gives the state of the whole', () => {
  append(begun.slice(0, 20));
  const fold = createJournalFold(disk, paths.journal, null);
  fold.advance();
  append(begun.slice(20));
  fold.advance();
  expect(fold.mark().state).toEqual(folded(disk).state);
});
