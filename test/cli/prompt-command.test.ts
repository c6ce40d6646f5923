import { Command } from 'commander';
import { expect, test } from 'vitest';
import { prompt } from '../../src/cli/commands/prompt.ts';
import { repositoryWith } from '../helpers/repository.ts';
import { createTestCli } from '../helpers/test-cli.ts';

const run = (...words: readonly string[]): Promise<unknown> => {
  const program = new Command();
  prompt(
    program,
    createTestCli({
      cwd: repositoryWith({ 'a.txt': 'a\n' }),
      does:
        (action) =>
        async (...all) =>
          void (await action(...all)),
    }),
  );
  return program.parseAsync(['prompt', ...words], { from: 'user' });
};

const refusalOf = async (...words: readonly string[]): Promise<string> => {
  const error: unknown = await run(...words).catch((caught: unknown) => caught);
  return error instanceof Error ? error.message : 'not refused';
};

test('a role with several modes lists its own modes and no other', async () => {
  for (const role of ['reviewer', 'Planner', 'questioner']) {
    const said = await refusalOf(role);
    const [what = '', listed = ''] = said.split('known: ');
    expect(what.toLowerCase()).toContain(`${role.toLowerCase()} has several modes`);
    const roles = listed.split(', ').map((row) => row.split(' ')[0]);
    expect(roles.length).toBeGreaterThan(1);
    expect([...new Set(roles)]).toEqual([role.toLowerCase()]);
  }
  expect(await refusalOf('reviewer')).toContain('reviewer TASK_REVIEW');
});

test('an unknown role lists all', async () => {
  const said = await refusalOf('boss');
  expect(said).toContain('no prompt for boss');
  for (const row of ['planner INITIALIZE', 'reviewer TASK_REVIEW', 'librarian STAGE'])
    expect(said).toContain(row);
});
