import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import {
  openJournal,
  readFirstLine,
  readJournal,
  scanJournal,
} from '../../src/observability/journal-file.ts';
import { repairJournal } from '../../src/observability/journal-repair.ts';
import type { Event } from '../../src/pipeline/event.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { createSimulatedDisk, SimulatedCrash, type SimulatedDisk } from '../helpers/simulated-disk.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { draws } from '../helpers/test-form.ts';

const path = '/s/journal.jsonl';
const event = (seq: number, text = 'ok'): Event => ({
  type: 'finding.noted',
  invocation: 'i-1',
  text,
  seq,
  at: '2026-02-15T03:15:00.000Z',
});
const line = (seq: number, text?: string): string => `${JSON.stringify(event(seq, text))}\n`;
const disk = (content?: string): SimulatedDisk => {
  const made = createSimulatedDisk();
  made.mkdir('/s');
  if (content !== undefined) made.put(path, content);
  return made;
};
const cutTo = (on: SimulatedDisk, size: number): void => {
  const handle = on.openAppend(path);
  on.truncate(handle, size);
  on.close(handle);
};
const sequence = (from: SimulatedDisk): number[] => readJournal(from, path).events.map(({ seq }) => seq);

describe('writing the journal', () => {
  test('keeps every event in its order, readable line by line', () => {
    const on = disk();
    const journal = openJournal(on, path);
    journal.append(event(1));
    journal.append(event(2, 'a\nb "c" \u2028 ä 👩‍💻'));
    journal.flush();
    expect(readJournal(on, path)).toEqual({
      events: [event(1), event(2, 'a\nb "c" \u2028 ä 👩‍💻')],
      problems: [],
      offset: on.lstat(path)?.size,
    });
    expect(on.text(path).split('\n')).toHaveLength(3);
  });

  test('costs one write and one flush for all events since the last flush', () => {
    const on = disk();
    const journal = openJournal(on, path);
    const before = on.operations();
    for (let seq = 1; seq <= 100; seq += 1) journal.append(event(seq));
    expect(on.operations()).toBe(before);
    journal.flush();
    expect(on.operations()).toBe(before + 2);
  });

  test('does not hold more than about a megabyte back', () => {
    const on = disk();
    const journal = openJournal(on, path);
    journal.append(event(1, 'x'.repeat(2 ** 20)));
    expect(on.lstat(path)?.size).toBeGreaterThan(2 ** 20);
  });

  test('with a copy elsewhere brings back what somebody cut off, once, also while lines wait', () => {
    const on = disk(line(1) + line(2));
    const journal = openJournal(on, path, { copy: '/elsewhere/copy.jsonl' });
    journal.append(event(3));
    journal.write();
    const whole = on.lstat(path)?.size ?? 0;
    cutTo(on, line(1).length);
    journal.append(event(4));
    journal.flush();
    expect(sequence(on)).toEqual([1, 2, 3, 4]);
    expect(journal.takeCut()).toEqual({ left: line(1).length, whole });
    expect(journal.takeCut()).toBeNull();
    cutTo(on, 0);
    expect(journal.takeCut()).toMatchObject({ left: 0 });
    expect(sequence(on)).toEqual([1, 2, 3, 4]);
  });

  test('with a copy elsewhere brings itself back in place of another file', () => {
    const on = disk(line(1));
    const journal = openJournal(on, path, { copy: '/elsewhere/copy.jsonl' });
    on.unlink(path);
    on.put(path, 'theirs\n');
    expect(journal.takeCut()).toEqual({ left: 7, whole: line(1).length });
    journal.append(event(2));
    journal.close();
    expect(sequence(on)).toEqual([1, 2]);
  });

  test('goes on without a copy where none can be written', () => {
    const on = disk(line(1));
    on.put('/elsewhere', 'a file');
    const journal = openJournal(on, path, { copy: '/elsewhere/copy.jsonl' });
    journal.append(event(2));
    journal.flush();
    expect([sequence(on), journal.takeCut()]).toEqual([[1, 2], null]);
  });

  test('leaves ephemeral events out', () => {
    const on = disk();
    const journal = openJournal(on, path);
    const at = '2026-02-15T03:15:00.000Z';
    journal.append({ type: 'output.written', invocation: 'i-1', stream: 'stdout', text: 'x', seq: 1, at });
    journal.close();
    expect(on.text(path)).toBe('');
  });

  test('goes on after the events that are there', () => {
    const on = disk(line(1));
    const journal = openJournal(on, path);
    journal.append(event(2));
    journal.close();
    expect(sequence(on)).toEqual([1, 2]);
  });

  test('on a full disk leaves no half line, loses nothing, and writes all when there is room again', () => {
    for (const space of [0, 1, line(2).length - 1, line(2).length, line(2).length + 9]) {
      const on = disk(line(1));
      const journal = openJournal(on, path);
      journal.append(event(2));
      journal.append(event(3));
      on.setSpace(space);
      expect(() => journal.flush()).toThrow('ENOSPC');
      expect(on.text(path)).toBe(line(1));
      on.setSpace(null);
      journal.append(event(4));
      journal.flush();
      expect(sequence(on)).toEqual([1, 2, 3, 4]);
    }
  });

  test('stopped at any operation, with any part of the un-flushed changes lost, keeps every flushed event', () => {
    let losses = 0;
    for (const ignoreFlush of [false, true]) {
      for (let seed = 0; seed < 300; seed += 1) {
        const random = createSeededRandom(seed);
        const on = createSimulatedDisk({ ignoreFlush });
        on.mkdir('/s');
        if (ignoreFlush) on.put('/s/kept', '');
        let flushed = 0;
        on.crashAfter(1 + random.int(30), { torn: random.chance(0.5) });
        try {
          const journal = openJournal(on, path);
          for (let seq = 1; seq < 40; seq += 1) {
            journal.append(event(seq, 'x'.repeat(random.int(60))));
            if (!random.chance(0.6)) continue;
            journal.flush();
            flushed = seq;
          }
        } catch (error) {
          if (!(error instanceof SimulatedCrash)) throw error;
        }
        on.loseUnflushed(() => (random.chance(0.3) ? 'torn' : random.chance(0.5)));
        repairJournal(on, path);
        const kept = sequence(on);
        if (kept.length < flushed) losses += 1;
        if (!ignoreFlush) {
          expect(kept.length).toBeGreaterThanOrEqual(flushed);
          expect(kept).toEqual(kept.map((_, index) => index + 1));
          expect(readJournal(on, path).problems).toEqual([]);
        }
      }
      expect(losses > 0).toBe(ignoreFlush);
    }
  });
});

describe('repairing the journal', () => {
  const repair = (content: string | Uint8Array) => {
    const on = disk();
    on.put(path, content);
    const repaired = repairJournal(on, path);
    return { on, repaired, text: on.text(path) };
  };

  test('does nothing to a whole one, an empty one, a missing one', () => {
    for (const content of ['', line(1), line(1) + line(2)])
      expect(repair(content)).toMatchObject({ repaired: null, text: content });
    expect(repairJournal(disk(), path)).toBeNull();
  });

  test('cuts half lines and lines of no sense from the end, and keeps what it cut', () => {
    for (const torn of [
      '{"type":"fin',
      '{}\n',
      '\0\0\0\0',
      `\0\n${line(3).slice(0, 20)}`,
      '\n',
      'null\n[]\n',
    ]) {
      const { on, repaired, text } = repair(`${line(1)}${line(2)}${torn}`);
      expect(text).toBe(line(1) + line(2));
      expect(repaired).toEqual({ cutBytes: torn.length, keptIn: `${path}.torn-1` });
      expect(on.text(`${path}.torn-1`)).toBe(torn);
    }
    expect(repair('no journal at all')).toMatchObject({ text: '' });
  });

  test('finds the end of a last line longer than what is read at once', () => {
    const content = line(1) + line(2, 'x'.repeat(300_000));
    expect(repair(content).repaired).toBeNull();
    expect(repair(content.slice(0, -1)).text).toBe(line(1));
  });

  test('never overwrites what an earlier repair kept, also when it was interrupted', () => {
    const torn = `${line(1)}half`;
    for (let at = 1; at <= 6; at += 1) {
      const on = disk(torn);
      on.put(`${path}.torn-1`, 'earlier');
      on.crashAfter(at, { torn: true });
      try {
        repairJournal(on, path);
        expect(at).toBe(6);
      } catch (error) {
        if (!(error instanceof SimulatedCrash)) throw error;
      }
      on.loseUnflushed(() => at % 2 === 0);
      repairJournal(on, path);
      expect(on.text(path)).toBe(line(1));
      expect(on.text(`${path}.torn-1`)).toBe('earlier');
      const kept = on.readdir('/s').filter((name) => name.includes('torn-'));
      expect(kept.map((name) => on.text(`/s/${name}`))).toContain('half');
    }
  });
});

describe('reading the journal', () => {
  test('gives its first line whole, however long it is, and none where no line is whole', () => {
    const long = line(1, 'x'.repeat(3_000_000));
    expect(readFirstLine(disk(long + line(2)), path)).toBe(long.trimEnd());
    expect(readFirstLine(disk(line(1).trimEnd()), path)).toBeNull();
    expect(readFirstLine(disk(''), path)).toBeNull();
    expect(readFirstLine(disk(), path)).toBeNull();
  });

  test('of a session that has none gives nothing', () => {
    expect(readJournal(disk(), path)).toEqual({ events: [], problems: [], offset: 0 });
  });

  test('goes on where a viewer stopped, and leaves a half line for later', () => {
    const on = disk(line(1) + line(2) + line(3).slice(0, 9));
    const first = readJournal(on, path);
    expect(first.offset).toBe((line(1) + line(2)).length);
    on.put(path, line(1) + line(2) + line(3) + line(4));
    expect(readJournal(on, path, first.offset)).toEqual({
      events: [event(3), event(4)],
      problems: [],
      offset: on.lstat(path)?.size,
    });
  });

  test('skips what is no event and says so once a line', () => {
    const unknown = JSON.stringify({ type: 'moon.landed', seq: 3, at: 'x' });
    const on = disk(`${line(1)}nonsense\n${line(2)}${unknown}\n{"type":"finding.noted"}\n[1]\n${line(4)}`);
    const read = readJournal(on, path);
    expect(read.events.map(({ seq }) => seq)).toEqual([1, 2, 4]);
    expect(read.problems.map(({ code }) => code)).toEqual([
      'journal-line',
      'journal-unknown',
      'journal-line',
      'journal-line',
    ]);
    expect(read.problems[1]?.what).toBe('the journal contains an event of unknown type "moon.landed"');
  });

  test('is not fooled by lines that make sense only together', () => {
    for (const pair of ['{"a":[1\n2]}', '1,2\n', '[\n]', '"a\nb"']) {
      const read = readJournal(disk(`${line(1)}${pair}\n${line(2)}`), path);
      expect(read.events.map(({ seq }) => seq)).toEqual([1, 2]);
      expect(read.problems.length).toBeGreaterThan(0);
    }
  });

  test('says where numbers are missing, and leaves repeated ones out', () => {
    const read = readJournal(disk(line(1) + line(2) + line(2, 'again') + line(5)), path);
    expect(read.events).toEqual([event(1), event(2), event(5)]);
    expect(read.problems.map(({ what }) => what)).toEqual([
      'the journal repeats event 2 after 2; the later one is ignored',
      'the journal lacks events 3 to 4',
    ]);
  });

  test('bounds the problems it tells', () => {
    const read = readJournal(disk('x\n'.repeat(5_000)), path);
    expect(read.problems).toHaveLength(101);
    expect(read.problems.at(-1)?.what).toBe('the journal has 4900 more such problems');
  });

  test('notices that the file became shorter', () => {
    const read = readJournal(disk(line(1)), path, 10_000);
    expect(read).toMatchObject({
      events: [],
      problems: [{ code: 'journal-shrunk' }],
      offset: line(1).length,
    });
  });

  test('gives what was written, in whatever pieces and sizes the file is read', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { maxLength: 30 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 3 }), (written, repeat) => {
        const on = disk();
        const journal = openJournal(on, path);
        const events = written.map((text, index) =>
          event(index + 1, text.toWellFormed().repeat(index % 7 === 0 ? repeat * 20_000 : 1)),
        );
        for (const each of events) journal.append(each);
        journal.close();
        expect(readJournal(on, path).events).toEqual(events);
      }),
      draws(60),
    );
  });

  test('of hundreds of thousands of events does not need them all in memory', () => {
    const file = join(tempDir(), 'journal.jsonl');
    writeFileSync(file, '');
    const many = 120_000;
    for (let from = 1; from <= many; from += 10_000)
      appendFileSync(file, Array.from({ length: 10_000 }, (_, index) => line(from + index)).join(''));
    let seen = 0;
    let largest = 0;
    const read = scanJournal(createDisk(), file, 0, (events) => {
      seen += events.length;
      largest = Math.max(largest, events.length);
    });
    expect([seen, read.problems, read.offset]).toEqual([many, [], readFileSync(file).length]);
    expect(largest).toBeLessThan(many / 5);
  });
});
