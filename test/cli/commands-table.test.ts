import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands/index.ts';
import { createProgram } from '../../src/cli/create-program.ts';
import { createTestCli } from '../helpers/test-cli.ts';

const program = (argv?: readonly string[]) => createProgram(createTestCli({}), argv);

/** Those whose files were read: a row alone has a name and a summary. */
const wholeOf = async (...argv: readonly string[]): Promise<readonly string[]> =>
  (await program(argv)).commands
    .filter((it) => it.options.length + it.registeredArguments.length + it.commands.length > 0)
    .map((it) => it.name());

test('a start lists all commands where its words may show them, and reads only the files of those that they name', async () => {
  const all = Object.keys(commands);
  const listed = async (...words: readonly string[]) =>
    (await program(words)).commands.map((it) => it.name());
  for (const words of [['--help'], ['statsu'], ['toString'], ['help', 'status'], ['completion', 'zsh'], []])
    expect(await listed(...words)).toEqual(all);
  expect(await listed('status', '--help')).toEqual(['open', 'status']);
  expect(await listed('--version')).toEqual(['open']);
  expect(await wholeOf('--help')).toEqual(['open']);
  expect(await wholeOf('toString')).toEqual(['open']);
  expect(await wholeOf('status', '--json')).toEqual(['open', 'status']);
  expect(await wholeOf('--ascii', 'status')).toEqual(['open', 'status']);
  expect(await wholeOf('help', 'signal')).toEqual(['open', 'signal', 'help']);
  expect(await wholeOf('completion', 'bash')).toEqual(all);
  expect(await wholeOf()).toEqual(['open']);
});

test('each row has the name of the command that its file makes', async () => {
  for (const it of (await program()).commands) expect(commands[it.name()]?.summary ?? '').toBe(it.summary());
  const hidden = Object.entries(commands).flatMap(([name, { summary }]) => (summary === null ? [name] : []));
  expect(hidden).toEqual(['open', 'host']);
});

test('the help of every command begins with what it does', async () => {
  for (const it of (await program()).commands.filter((each) => each.summary() !== ''))
    expect(it.helpInformation()).toMatch(/^Usage: .*\n(?:.+\n)*\n[A-Z`][^\n]+ /);
});
