import { expect, test } from 'vitest';
import type { Pointing } from '../../components/keys/mouse.ts';
import { createMouse } from '../../src/cli/terminal/create-mouse.ts';
import { createManualClock } from '../helpers/manual-clock.ts';

const esc = '\u001b';

/** A terminal whose mouse is on, and what Ink gets of what it sends. */
const open = () => {
  const clock = createManualClock();
  const arrived: string[] = [];
  const keys: string[] = [];
  const clicks: Pointing[] = [];
  const source: NodeJS.ReadStream = Object.create(process.stdin, {
    read: { configurable: true, value: () => arrived.shift() ?? null },
    emit: { configurable: true, value: () => readAll() },
  });
  const stdout: NodeJS.WriteStream = Object.create(process.stdout, {
    write: { value: () => true },
  });
  const { mouse, stdin } = createMouse({ stdin: source, stdout }, clock);
  const readAll = (): void => {
    for (let text = stdin.read(); text !== null; text = stdin.read()) keys.push(String(text));
  };
  mouse.turn(true);
  mouse.listen((pointing) => clicks.push(pointing));
  return { clock, arrived, keys, clicks, readAll };
};

const click = { what: 'press', column: 4, row: 2 };

test('an Esc is a key after a moment without anything behind it', () => {
  const { clock, arrived, keys, readAll } = open();
  arrived.push(esc);
  readAll();
  clock.advance(19);
  expect(keys).toEqual([]);
  clock.advance(1);
  expect(keys).toEqual([esc]);
});

test('a report that stood half read while the program did not run is one click, and no piece of it is a key', () => {
  const { clock, arrived, keys, clicks, readAll } = open();
  arrived.push(esc);
  readAll();
  clock.stall(10_000);
  // Its rest has come long ago, and is read behind the timers.
  arrived.push('[<0;5;3M');
  clock.after(0, readAll);
  clock.advance(1_000);
  expect([keys, clicks]).toEqual([[], [click]]);
});

test('a report in pieces over a slow line is one click; what never becomes one is let go of', () => {
  const { clock, arrived, keys, clicks, readAll } = open();
  for (const piece of [`${esc}[<0`, ';5;', '3M', `${esc}[<0;`]) {
    arrived.push(piece);
    readAll();
    clock.advance(200);
  }
  expect([keys, clicks]).toEqual([[], [click]]);
  clock.advance(50);
  expect(keys).toEqual([`${esc}[<0;`]);
});
