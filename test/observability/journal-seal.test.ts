import { expect, test } from 'vitest';
import { checkSeal } from '../../src/observability/check-seal.ts';
import { openJournal } from '../../src/observability/journal-file.ts';
import type { Event } from '../../src/pipeline/event.ts';
import { createSimulatedDisk, SimulatedCrash, type SimulatedDisk } from '../helpers/simulated-disk.ts';

const path = '/s/journal.jsonl';
const seal = { path: '/state/journals/one', boot: 'boot-1' };
const event = (seq: number): Event => ({
  type: 'finding.noted',
  invocation: 'i-1',
  text: `text ${seq}`,
  seq,
  at: '2026-02-15T03:15:00.000Z',
});

const newDisk = (): SimulatedDisk => {
  const disk = createSimulatedDisk();
  disk.mkdir('/s');
  return disk;
};
const work = (disk: SimulatedDisk, from: number, isClosed = true): void => {
  const journal = openJournal(disk, path, { seal, copy: '/shadow/journal.jsonl' });
  for (let seq = from; seq < from + 4; seq += 1) {
    journal.append(event(seq));
    if (seq % 2 === 0) journal.flush();
    else journal.write();
  }
  if (isClosed) journal.close();
};
const append = (disk: SimulatedDisk, text: string): void => {
  const handle = disk.openAppend(path);
  disk.write(handle, new TextEncoder().encode(text));
  disk.close(handle);
};
const forged = `${JSON.stringify(event(99))}\n`;

test('a journal is whole as long as nobody else wrote into it', () => {
  const disk = newDisk();
  work(disk, 1);
  expect(checkSeal(disk, path, seal).whole).toBe(true);
  work(disk, 5);
  const size = disk.lstat(path)?.size;
  expect(checkSeal(disk, path, seal)).toMatchObject({ whole: true, ours: size });
  append(disk, forged);
  expect(checkSeal(disk, path, seal)).toMatchObject({ whole: false, ours: size });
});

test.each([
  ['a changed line', (text: string) => text.replace('text 1', 'text 7')],
  ['a line less', (text: string) => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)],
  ['an empty file', () => ''],
])('%s is seen', (_, change) => {
  const disk = newDisk();
  work(disk, 1);
  disk.put(path, change(disk.text(path)));
  expect(checkSeal(disk, path, seal).whole).toBe(false);
});

test('nothing counts without a seal', () => {
  const disk = newDisk();
  work(disk, 1);
  expect(checkSeal(disk, path, null)).toMatchObject({ whole: false, ours: null, sealed: false });
  disk.drop(seal.path);
  expect(checkSeal(disk, path, seal)).toMatchObject({ whole: false, ours: null });
});

test('a restart of the machine explains no line of a session that had ended', () => {
  const disk = newDisk();
  work(disk, 1);
  append(disk, forged);
  expect(checkSeal(disk, path, { ...seal, boot: 'boot-2' }).whole).toBe(false);
});

test('what somebody adds while the session runs is cut before the next line, and told', () => {
  const disk = newDisk();
  const journal = openJournal(disk, path, { seal, copy: '/shadow/journal.jsonl' });
  journal.append(event(1));
  journal.write();
  const whole = disk.lstat(path)?.size ?? 0;
  append(disk, forged);
  journal.append(event(2));
  journal.close();
  expect(disk.text(path)).not.toContain('text 99');
  expect(journal.takeCut()).toEqual({ left: whole + forged.length, whole });
  expect(checkSeal(disk, path, seal).whole).toBe(true);
});

test('a program that dies at any operation leaves a journal that counts', () => {
  for (let at = 1; ; at += 1) {
    const disk = newDisk();
    work(disk, 1);
    disk.crashAfter(at);
    try {
      work(disk, 5);
    } catch (error) {
      if (!(error instanceof SimulatedCrash)) throw error;
    }
    const isOver = !disk.crashed();
    disk.spare();
    disk.restart();
    expect(checkSeal(disk, path, seal).whole, `after operation ${at}`).toBe(true);
    if (isOver) return;
  }
});

test.each([true, false])(
  'a power loss leaves a journal that counts, whichever file lost its end: %s',
  (isSealLost) => {
    const disk = newDisk();
    work(disk, 1);
    work(disk, 5, false);
    disk.loseUnflushed(({ path: changed }) => changed.startsWith('/state') === isSealLost);
    expect(checkSeal(disk, path, { ...seal, boot: 'boot-2' }).whole).toBe(true);
  },
);

test('a full disk gives the seal up, and the session goes on', () => {
  const disk = newDisk();
  const journal = openJournal(disk, path, { seal });
  journal.append(event(1));
  journal.write();
  disk.setSpace(0);
  journal.append(event(2));
  expect(() => journal.write()).toThrow();
  disk.setSpace(null);
  journal.append(event(3));
  journal.close();
  expect(checkSeal(disk, path, seal).whole).toBe(false);
});
