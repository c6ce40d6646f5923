import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createTypedLines, type TypedLines } from '../../src/cli/typed-lines.ts';

const open = () => {
  const stdin = new PassThrough();
  return { stdin, typed: createTypedLines(stdin) };
};

/** Holds the prompt and keeps what came; resolves when a line, or the end, was told that fits. */
const hold = (typed: TypedLines) => {
  const lines: string[] = [];
  const watchers = new Set<() => void>();
  const tell = (line: string): void => {
    lines.push(line);
    for (const watcher of [...watchers]) watcher();
  };
  const giveUp = typed.hold({ line: tell, ended: () => tell('<end>') });
  const until = (line: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (lines.includes(line)) resolve();
      };
      watchers.add(look);
      look();
    });
  return { lines, until, giveUp };
};

test('lines come whole and in their order, however they were cut and whatever ends them', async () => {
  const { stdin, typed } = open();
  const { lines, until } = hold(typed);
  const bytes = Buffer.from('one\r\ntwo\rthree\n\nfünf\nlast');
  for (const byte of bytes) stdin.write(Buffer.from([byte]));
  stdin.end();
  await until('<end>');
  expect(lines).toEqual(['one', 'two', 'three', '', 'fünf', 'last', '<end>']);
});

test('what is typed in one piece with the line that gives the prompt up goes to whoever takes it next', async () => {
  const { stdin, typed } = open();
  const first: string[] = [];
  const giveUp = typed.hold({
    line: (line) => {
      first.push(line);
      if (line === 'resume') giveUp();
    },
  });
  stdin.write('status\nresume\nquit\nhal');
  stdin.end('f');
  while (!first.includes('resume')) await new Promise((resolve) => setImmediate(resolve));
  const second = hold(typed);
  await second.until('<end>');
  expect(first).toEqual(['status', 'resume']);
  expect(second.lines).toEqual(['quit', 'half', '<end>']);
});

test('the prompt may change hands while a line is being done: the next one waits for that, and goes to the new holder', async () => {
  const { stdin, typed } = open();
  const order: string[] = [];
  const slow = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const giveUp = typed.hold({
    line: async (line) => {
      begun.resolve();
      await slow.promise;
      order.push(`first did ${line}`);
    },
  });
  stdin.write('slow\nquick\n');
  await begun.promise;
  giveUp();
  const done = Promise.withResolvers<void>();
  typed.hold({
    line: (line) => {
      order.push(`second did ${line}`);
      done.resolve();
    },
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual([]);
  slow.resolve();
  await done.promise;
  expect(order).toEqual(['first did slow', 'second did quick']);
});

test('who takes the prompt after the end of the input is told of it at once', async () => {
  const { stdin, typed } = open();
  const first = hold(typed);
  stdin.end('one\n');
  await first.until('<end>');
  first.giveUp();
  const second = hold(typed);
  await second.until('<end>');
  expect(second.lines).toEqual(['<end>']);
});

test('an input that breaks has ended', async () => {
  const { stdin, typed } = open();
  stdin.on('error', () => {});
  const { until } = hold(typed);
  stdin.destroy(new Error('EIO'));
  await until('<end>');
});

test('what was typed before a question is no answer to it, and is kept for the prompt', async () => {
  const { stdin, typed } = open();
  stdin.write('y\nquit\n');
  let shown = false;
  const answer = typed.answer(() => {
    shown = true;
    stdin.write('no\nhelp\n');
  });
  expect(await answer).toBe('no');
  expect(shown).toBe(true);
  const { lines, until } = hold(typed);
  await until('help');
  expect(lines).toEqual(['y', 'quit', 'help']);
});

test('the end of the input answers no question', async () => {
  const { stdin, typed } = open();
  stdin.end('y\n');
  expect(await typed.answer(() => {})).toBeNull();
});

test('nothing is read before somebody asks for it, nor while nobody does', async () => {
  const { stdin, typed } = open();
  stdin.write('early\n');
  await new Promise((resolve) => setImmediate(resolve));
  expect(stdin.readableLength).toBe(6);
  const { until, giveUp } = hold(typed);
  await until('early');
  giveUp();
  stdin.write('late\n');
  await new Promise((resolve) => setImmediate(resolve));
  expect(stdin.readableLength).toBe(5);
});

test('a flood of lines stays with whoever sends it while one line is being done', async () => {
  const { stdin, typed } = open();
  const stuck = Promise.withResolvers<void>();
  let count = 0;
  typed.hold({
    line: async () => {
      count += 1;
      if (count === 1) await stuck.promise;
    },
  });
  const piece = 'x\n'.repeat(1_000);
  for (let sent = 0; sent < 100; sent += 1) {
    stdin.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(stdin.readableLength + stdin.writableLength).toBeGreaterThan(90 * piece.length);
  stuck.resolve();
  while (count < 100_000) await new Promise((resolve) => setImmediate(resolve));
});

test('whoever reads keys from here on has stdin for itself', async () => {
  const { stdin, typed } = open();
  const { until, giveUp } = hold(typed);
  stdin.write('line\n');
  await until('line');
  giveUp();
  typed.giveBack();
  stdin.write('keys');
  await new Promise((resolve) => setImmediate(resolve));
  expect(String(stdin.read())).toBe('keys');
});

test('a question keeps the program alive on a terminal that a screen before has let go', async () => {
  let isHeld = false;
  const stdin = Object.assign(new PassThrough(), {
    ref: () => {
      isHeld = true;
    },
  });
  const answer = createTypedLines(stdin).answer(() => stdin.write('y\n'));
  expect(isHeld).toBe(true);
  expect(await answer).toBe('y');
});
