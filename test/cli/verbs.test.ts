import { expect, test } from 'vitest';
import { parseLine, verbs } from '../../src/cli/verbs.ts';
import { commands } from '../../src/keymap/commands/index.ts';

/** What only a screen has: where one looks, how it is drawn, and lists that the subcommands print whole. */
const screenOnly =
  /^(?:move\.|look\.(?:next-pane|previous-pane|events|mouse|zoom|back|open-in-editor|copy-text|copy-path)$|read\.|arrive\.|start\.|sessions\.|changes\.|details\.|end\.)/;

test('every key over the panes that does something to the run has its word in lines', () => {
  const known = new Set(verbs.flatMap((verb) => verb.commands));
  const missing = commands
    .filter((command) => command.context === 'main' && !known.has(command.id) && !screenOnly.test(command.id))
    .map((command) => command.id);
  expect(missing).toEqual([]);
  const ids = new Set(commands.map((command) => command.id));
  expect([...known].filter((id) => !ids.has(id))).toEqual([]);
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
  ['abort', { kind: 'unknown', text: 'abort ends the session: type abort ABORT if you mean it' }],
  ['abort ABORT', { kind: 'call', argv: ['signal', 'ABORT', '--session', 's'] }],
  ['steer', { kind: 'unknown', text: 'steer needs a message: steer MESSAGE' }],
  ['demo', { kind: 'unknown', text: 'there is no word "demo": help lists them' }],
  ['', { kind: 'nothing' }],
  ['?', { kind: 'help' }],
  ['q', { kind: 'quit' }],
])('%j', (line, wanted) => {
  expect(parseLine(line, 's')).toEqual(wanted);
});
