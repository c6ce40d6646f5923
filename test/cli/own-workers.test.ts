import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agreeTo } from '../../src/cli/trust/ask-trust.ts';
import { phaseSkillSubjects } from '../../src/cli/trust/own-skills.ts';
import { usableWorker, workerSubjects } from '../../src/cli/trust/own-workers.ts';
import { rememberTrust } from '../../src/cli/trust/trust-memory.ts';
import { createWorld } from '../../src/cli/world.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const world = createWorld();
const own = (words: string): string =>
  `---\nname: ralph-builder\ndescription: ours\ntools: [Read]\n---\n${words}\n`;
const file = '.ralph/agents/ralph-builder.md';

const accept = (env: Record<string, string>, workspace: string): void => {
  for (const { name, sha256 } of workerSubjects(world, workspace))
    expect(rememberTrust(env, world, { workspace, name, sha256, at: '2026-02-15T10:15:00Z' })).toBe(true);
};

test('a definition of the repository counts only with exactly the accepted text, and where it does not it is said', () => {
  const workspace = workspaceWith({ [file]: own('Do it our way.') });
  const env = { XDG_STATE_HOME: tempDir() };
  const used = () => usableWorker(env, world, workspace, 'builder');
  const body = (): string => used().definition.body;
  expect(body()).toMatch(/^# Builder/);
  expect(used().refused).toEqual({
    code: 'worker-not-accepted',
    what: `${file}: its current text has not been accepted, so each builder uses the program's own definition`,
    hint: 'the next start in a terminal will ask you to accept it',
  });
  expect(usableWorker(env, world, workspace, 'analyst').refused).toBeNull();
  expect(workerSubjects(world, workspace)).toMatchObject([
    { name: file, would: 'would instruct every builder and set its tools' },
  ]);
  accept(env, workspace);
  expect(body()).toBe('Do it our way.');
  expect(used()).toMatchObject({ definition: { kinds: ['read'] }, refused: null });
  writeFileSync(join(workspace, file), own('Do it the way of an agent.'));
  expect(body()).toMatch(/^# Builder/);
  expect(used().refused?.code).toBe('worker-not-accepted');
});

test.each([
  ['a definition of workers', file, own('Do it our way.')],
  [
    'a skill',
    '.ralph/skills/plan/SKILL.md',
    '---\nname: plan\ndescription: Plans.\ncontext: fork\n---\nPlan.\n',
  ],
])(
  'an accepted %s that cannot be remembered stops the start: it would not be used',
  async (_what, path, text) => {
    const workspace = workspaceWith({ [path]: text });
    const cli = createTestCli({ cwd: workspace, env: { XDG_STATE_HOME: '/dev/null', HOME: tempDir() } });
    const subjects = [...workerSubjects(world, workspace), ...phaseSkillSubjects(cli.env, world, workspace)];
    expect(subjects).toHaveLength(1);
    await expect(
      agreeTo(cli, world, { workspace, subjects }, { yes: true, mayAsk: false }),
    ).rejects.toMatchObject({
      code: 1,
      fault: {
        code: 'not-remembered',
        where: '/dev/null/ralph-tui',
        what: expect.stringContaining(subjects[0]?.name ?? ''),
      },
    });
  },
);

test('.ralph/agents stands before .claude/agents, other names and links count for nothing', () => {
  const workspace = workspaceWith({
    [file]: own('Ours.'),
    '.claude/agents/ralph-builder.md': own('Theirs.'),
    '.claude/agents/builder.md': own('Another.'),
    'elsewhere.md': own('Elsewhere.'),
  });
  symlinkSync(join(workspace, 'elsewhere.md'), join(workspace, '.ralph/agents/ralph-analyst.md'));
  expect(workerSubjects(world, workspace).map(({ name }) => name)).toEqual([file]);
});

test('an accepted definition that cannot be read stops the start with its place', () => {
  const workspace = workspaceWith({ [file]: '# no front matter\n' });
  const env = { XDG_STATE_HOME: tempDir() };
  accept(env, workspace);
  expect(() => usableWorker(env, world, workspace, 'builder')).toThrow(/has no readable front matter/);
});
