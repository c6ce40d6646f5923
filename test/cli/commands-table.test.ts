import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands/index.ts';
import { createProgram } from '../../src/cli/program.ts';
import { createTestCli } from '../helpers/test-cli.ts';

test('a command that is named is built alone, and those that tell of others have all of them', () => {
  const cli = createTestCli({});
  const namesOf = (named: string) => createProgram(cli, named).commands.map((command) => command.name());
  const all = namesOf('');
  expect(all).toEqual(Object.keys(commands));
  for (const name of all)
    expect(namesOf(name)).toEqual(['open', 'help', 'completion'].includes(name) ? all : [name]);
  for (const name of ['--help', 'statsu', 'toString']) expect(namesOf(name)).toEqual(all);
});
