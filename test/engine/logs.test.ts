import { expect, test } from 'vitest';
import { createAttemptLog, type Shown } from '../../src/engine/invocation/logs.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';

const createLog = (before = '', secrets = ['correct horse battery']) => {
  const disk = createSimulatedDisk();
  const clock = createManualClock();
  disk.mkdir('/s/logs');
  if (before !== '') disk.put('/s/logs/a-r1.log', before);
  const shown: (Shown & { readonly at: number })[] = [];
  const failures: unknown[] = [];
  const log = createAttemptLog({
    disk,
    path: '/s/logs/a-r1.log',
    secrets,
    later: clock.after,
    show: (part) => {
      shown.push({ at: clock.monotonic(), ...part });
    },
    broken: (error) => failures.push(error),
  });
  const write = (text: string, stream: 'stdout' | 'stderr' = 'stdout') =>
    log.write(new TextEncoder().encode(text), stream);
  return { disk, clock, log, write, shown, failures, text: () => disk.text('/s/logs/a-r1.log') };
};

test('the file holds every byte in order, and offsets tell where a command begins and ends', () => {
  const { log, write, text } = createLog('earlier\n');
  write('one\n');
  const from = log.mark();
  write('two\nthr');
  write('ee');
  const to = log.mark();
  write('four\n');
  expect(log.mark().lines).toBe(1);
  log.close();
  expect(text()).toBe('earlier\none\ntwo\nthreefour\n');
  expect(text().slice(from.size, to.size)).toBe('two\nthree');
  expect([from.lines, to.lines]).toEqual([1, 2]);
  expect(log.file).toBe('logs/a-r1.log');
});

test('bytes that are no text stay as they are', () => {
  const { disk, log } = createLog();
  const bytes = new Uint8Array([0xff, 0x00, 0x0a, 0xfe, 0x80]);
  log.write(bytes, 'stdout');
  log.close();
  const handle = disk.openRead('/s/logs/a-r1.log');
  expect(disk.read(handle, 0, 10)).toEqual(bytes);
});

test('a secret as long as the environment may hold is taken out like any other', () => {
  const secret = 'x1'.repeat(65_000);
  const { log, write, text } = createLog('', [secret]);
  write(`before ${secret} behind\n`);
  log.close();
  expect(text()).toBe('before [redacted] behind\n');
});

test('a secret that comes in two pieces is taken out whole', () => {
  const { log, write, text, shown } = createLog();
  write('the password is correct hor');
  write('se battery, and sk-0123456789');
  write('abcdefghij is the key\n');
  log.close();
  expect(text()).toBe('the password is [redacted], and [redacted] is the key\n');
  expect(shown.map((part) => part.text).join('')).toBe(text());
});

test('the screen is told at most about twelve times a second, with both streams in their order', () => {
  const { clock, write, shown } = createLog();
  for (let index = 0; index < 1_000; index += 1) {
    write(`line ${index}\n`, index % 100 === 99 ? 'stderr' : 'stdout');
    clock.advance(1);
  }
  clock.advance(100);
  expect(new Set(shown.map(({ at }) => at)).size).toBeLessThanOrEqual(13);
  expect(shown.map(({ text }) => text).join('')).toBe(
    Array.from({ length: 1_000 }, (_, index) => `line ${index}\n`).join(''),
  );
  expect(shown.filter(({ stream }) => stream === 'stderr').length).toBeGreaterThan(5);
});

test('the screen gets what was written at once when something else follows it, and nothing twice', () => {
  const { clock, log, write, shown } = createLog();
  write('first\nsecond');
  log.show();
  expect(shown.map(({ text }) => text)).toEqual(['first\nsecond']);
  log.show();
  write(' half\n');
  clock.advance(100);
  expect(shown.map(({ text }) => text)).toEqual(['first\nsecond', ' half\n']);
});

test('an unfinished line is shown when nothing follows it', () => {
  const { clock, write, shown } = createLog();
  write('Continue? [y/N] ');
  clock.advance(100);
  expect(shown.map(({ text }) => text)).toEqual(['Continue? [y/N] ']);
});

test('of a flood the newest part is shown from the start of a line, with its place and how much is left out, and the file holds it all', () => {
  const { clock, log, write, shown, text } = createLog();
  const line = `${'x'.repeat(1_023)}\n`;
  for (let index = 0; index < 1_000; index += 1) write(line);
  clock.advance(100);
  const all = shown.map((part) => part.text).join('');
  expect(all.length).toBeLessThan(70_000);
  expect(all).toMatch(/^x{1023}\n/);
  expect(shown[0]).toMatchObject({ byte: 1_024_000 - all.length, skipped: 1_024_000 - all.length });
  log.close();
  expect(text()).toHaveLength(1_024_000);
});

test('of every batch is told where in the file it stands, and of bytes that are no text it is not', () => {
  const { clock, log, write, shown } = createLog('früher\n');
  write('größe\n');
  clock.advance(100);
  write('zwei\n', 'stderr');
  write('drei\n');
  clock.advance(100);
  log.write(new Uint8Array([0xe9, 0x0a]), 'stdout');
  clock.advance(100);
  write('five\n');
  log.close();
  expect(shown.map(({ text, byte, skipped }) => [text, byte, skipped])).toEqual([
    ['größe\n', 8, 0],
    ['zwei\n', 16, 0],
    ['drei\n', 21, 0],
    ['\ufffd\n', null, 0],
    ['five\n', 28, 0],
  ]);
});

test('one endless line is written on without being held in memory', () => {
  const { disk, write } = createLog();
  for (let index = 0; index < 64; index += 1) write('y'.repeat(1_024));
  expect(disk.text('/s/logs/a-r1.log').length).toBeGreaterThan(40_000);
});

test('a disk that is full is told once, and nothing more is written', () => {
  const { disk, write, failures, log } = createLog();
  disk.setSpace(4);
  write('one two three\n');
  write('four\n');
  log.close();
  expect(failures).toHaveLength(1);
  expect(String(failures[0])).toContain('ENOSPC');
});

test('a secret that comes in pieces with long waits between them is never let go of', () => {
  const { clock, log, write, text, shown } = createLog();
  for (const piece of [
    'key: sk-0123',
    '4567',
    '89abcdefgh',
    'ij, and corr',
    'ect horse bat',
    'tery; Be',
    'arer abcdef',
    'ghijkl done ',
    'gh\u001b[31mp_\u001b[0m0123456789',
    '0123456789',
    ' end',
  ]) {
    write(piece);
    clock.advance(1_000);
  }
  log.close();
  expect(text()).toBe(
    'key: [redacted], and [redacted]; Bearer [redacted] done [redacted]\u001b[31m\u001b[0m end',
  );
  expect(shown.map((part) => part.text).join('')).toBe(text());
});

test('a private key is taken out though its lines come one by one, and what follows is seen again', () => {
  const { clock, log, write, text } = createLog();
  const lines = [
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    'b3BlbnNzaC1rZXktdjEAAAAABG5vbmU',
    '',
    'QyNTUxOQAAACB',
    '-----END OPENSSH PRIVATE KEY-----',
    'after',
  ];
  for (const line of lines) {
    write(`${line}\n`);
    clock.advance(1_000);
  }
  log.close();
  expect(text()).toBe('[redacted]\nafter\n');
});

test('a line that says how a private key begins does not hide the rest of the log', () => {
  const { log, write, text } = createLog();
  write('-----BEGIN PRIVATE KEY-----\n');
  for (let line = 0; line < 3_000; line += 1) write(`line ${line} of something else entirely\n`);
  log.close();
  expect(text()).toContain('line 2999 of');
});

test('a secret across the bound of one endless line is taken out', () => {
  const { log, write, text } = createLog();
  write(`${'x'.repeat(16 * 1024 - 5)} sk-0123456789abc`);
  write('defghijklmno rest');
  log.close();
  expect(text()).toMatch(/x \[redacted\] rest$/);
});
