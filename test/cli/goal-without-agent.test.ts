import { expect, test } from 'vitest';
import { Exit } from '../../src/cli/cli.ts';
import { prepareGoal } from '../../src/cli/host/prepare-goal.ts';
import { createWorld } from '../../src/cli/world.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { pathWith, workspaceWith } from '../helpers/workspace.ts';

const hintFor = (path: string): string | undefined => {
  const cli = createTestCli({ env: { XDG_CONFIG_HOME: tempDir(), PATH: path } });
  try {
    prepareGoal(cli, createWorld(), {
      workspace: workspaceWith({}),
      goal: 'Do it',
      mode: 'plain',
      flags: {},
    });
  } catch (error) {
    if (error instanceof Exit) return error.fault.hint;
  }
  return undefined;
};

test('a goal without an agent names those that are installed, or how to install one', () => {
  expect(hintFor(pathWith('gemini', 'codex-acp'))).toBe('name one with --agent: gemini, codex');
  expect(hintFor('/none')).toMatch(
    /^none is installed: install one, for example with `npm install -g .*@google\/gemini-cli@.*`, and name it with --agent; /,
  );
});
