import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { usableWorker, workerSubjects } from '../../src/cli/trust/own-workers.ts';
import { rememberTrust } from '../../src/cli/trust/trust-memory.ts';
import { createWorld } from '../../src/cli/world.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const world = createWorld();
const own = (words: string): string =>
  `---\nname: ralph-builder\ndescription: ours\ntools: [Read]\n---\n${words}\n`;
const file = '.ralph/agents/ralph-builder.md';

const accept = (env: Record<string, string>, workspace: string): void => {
  for (const { name, sha256 } of workerSubjects(world, workspace))
    expect(rememberTrust(env, world, { workspace, name, sha256, at: '2026-02-15T10:15:00Z' })).toBe(true);
};

test('a definition of the repository counts only with exactly the accepted text', () => {
  const workspace = workspaceWith({ [file]: own('Do it our way.') });
  const env = { XDG_STATE_HOME: tempDir() };
  const body = (): string => usableWorker(env, world, workspace, 'builder').body;
  expect(body()).toMatch(/^# Builder/);
  expect(workerSubjects(world, workspace)).toMatchObject([
    { name: file, would: 'would instruct every builder, and say which tools it has' },
  ]);
  accept(env, workspace);
  expect(body()).toBe('Do it our way.');
  expect(usableWorker(env, world, workspace, 'builder').kinds).toEqual(['read']);
  writeFileSync(join(workspace, file), own('Do it the way of an agent.'));
  expect(body()).toMatch(/^# Builder/);
});

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
  expect(() => usableWorker(env, world, workspace, 'builder')).toThrow(/has no front matter/);
});
