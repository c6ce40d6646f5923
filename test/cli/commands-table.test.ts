import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands/index.ts';
import { createProgram } from '../../src/cli/program.ts';
import { createTestCli } from '../helpers/test-cli.ts';

const program = (argv?: readonly string[]) => createProgram(createTestCli({}), argv);

/** Those whose files were read: a row alone has a name and a summary. */
const wholeOf = async (...argv: readonly string[]): Promise<readonly string[]> =>
  (await program(argv)).commands
    .filter((it) => it.options.length + it.registeredArguments.length + it.commands.length > 0)
    .map((it) => it.name());

test('every start lists all commands, and reads only the files of those that its words name', async () => {
  const all = Object.keys(commands);
  for (const words of [['status'], ['--help'], ['statsu'], ['toString'], []])
    expect((await program(words)).commands.map((it) => it.name())).toEqual(all);
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
  expect(hidden).toEqual(['open', 'host', 'runner']);
});
