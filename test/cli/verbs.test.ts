import { Command } from 'commander';
import { expect, test } from 'vitest';
import { commands } from '../../components/commands.ts';
import { answer } from '../../src/cli/commands/steering/answer.ts';
import { listen } from '../../src/cli/plain/screen-reader.ts';
import { parseLine, verbs } from '../../src/cli/plain/verbs.ts';
import { withWords, wordsOfKeys } from '../../src/cli/plain/words-of-keys.ts';
import type { LineHolder, TypedLines } from '../../src/cli/typed-lines.ts';
import { createTestCli } from '../helpers/test-cli.ts';

test('`keys` prints what every command of the screen does, with its word or what stands in its place', () => {
  const words = wordsOfKeys();
  expect(words.filter(({ word, why }) => (word === null) === (why === ''))).toEqual([]);
  const told = new Set(words.map(({ what }) => what));
  const untold = commands.filter((command) => command.group !== 'Move' && !told.has(command.description));
  expect(untold.map(({ id }) => id)).toEqual([]);
});

test('what changes the run is never only on the screen', () => {
  const steering = wordsOfKeys().filter(({ command, word }) => command.group === 'Steer' && word === null);
  expect(
    steering.map(({ command }) => command.id),
    '`inLines` has to name a word: no reason is enough',
  ).toEqual([]);
});

test('no word does more than its key: what decides later has none that decides', () => {
  const later = wordsOfKeys().find(({ command }) => command.id === 'end.later');
  expect(later).toMatchObject({ word: null, why: expect.stringContaining('`quit` leaves them') });
});

test('every word of the prompt is understood as its usage says', () => {
  const unknown = Object.values(verbs).filter(({ usage }) => parseLine(usage, 's').kind === 'unknown');
  expect(unknown.map(({ usage }) => usage)).toEqual([]);
});

test('every word but `keys` is that of a command of the screen', () => {
  const used = new Set<string>(commands.map(({ inLines }) => ('word' in inLines ? inLines.word : '')));
  expect(Object.keys(verbs).filter((word) => !used.has(word))).toEqual(['keys']);
});

test.each([
  ['pause', { kind: 'call', argv: ['signal', 'PAUSE', '--session', 's'] }],
  [
    "steer use 'bar', not foo",
    { kind: 'call', argv: ['signal', 'STEER', "use 'bar', not foo", '--session', 's'] },
  ],
  [
    'retry task-1 "the port is taken"',
    { kind: 'call', argv: ['retry', 'task-1', 'the port is taken', '--session', 's'] },
  ],
  ['abort', { kind: 'unknown', text: 'abort ends the session: type abort ABORT to confirm' }],
  ['abort ABORT', { kind: 'call', argv: ['signal', 'ABORT', '--session', 's'] }],
  ['steer', { kind: 'unknown', text: 'steer needs a message: steer MESSAGE' }],
  ['demo', { kind: 'unknown', text: 'unknown command "demo": help lists all commands' }],
  ['', { kind: 'nothing' }],
  ['?', { kind: 'help' }],
  ['q', { kind: 'quit' }],
])('%j', (line, wanted) => {
  expect(parseLine(line, 's')).toEqual(wanted);
});

test('the ways to answer that the list of keys names fit the command', async () => {
  const lines = new Set(wordsOfKeys().flatMap(({ why }) => why.match(/(?<=`)answer [^`]*/g) ?? []));
  expect(lines.size).toBe(2);
  for (const line of lines) {
    const program = new Command().exitOverride();
    answer(program, createTestCli());
    const typed = parseLine(line, 's');
    await program.parseAsync(typed.kind === 'call' ? typed.argv : [], { from: 'user' });
  }
});

test('a sentence of the screen is said in words: what has none here is not said', () => {
  expect(withWords('Stopped just now: crashed. {session.resume} resume · {session.new} new')).toBe(
    'Stopped just now: crashed. `resume`',
  );
  expect(withWords('Complete. Next: {end.quit} leaves · 2 of 2 done')).toBe(
    'Complete. Next: `quit` leaves · 2 of 2 done',
  );
});

test('a typed word runs in the workspace of its session, not where the program was called', async () => {
  const held: LineHolder[] = [];
  const calls: (readonly [string, string | undefined])[] = [];
  const typed: TypedLines = {
    hold: (holder) => {
      held.push(holder);
      return () => {};
    },
    answer: () => Promise.resolve(null),
    giveBack: () => {},
  };
  const cli = createTestCli({
    cwd: '/called/here',
    typed,
    run: async (argv, cwd) => void calls.push([argv.join(' '), cwd]),
  });
  listen(cli, { session: 's', workspace: '/tmp/sample' }, { leave: () => {} });
  await held[0]?.line('status');
  expect(calls).toEqual([['status --session s', '/tmp/sample']]);
});
