import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decidePermission } from '../../src/agents/permissions.ts';
import { taskRoles } from '../../src/issues/task-list/task-phase.ts';
import { definitionName, parseWorkerDefinition } from '../../src/issues/team/worker-definition.ts';
import { shippedWorkers } from '../../src/skills/shipped-workers.io.ts';

const shipped = (role: (typeof taskRoles)[number]): string =>
  readFileSync(join(shippedWorkers(), `${definitionName(role)}.md`), 'utf8');

test('our four definitions are whole, short, and only the builder edits', () => {
  for (const role of taskRoles) {
    const { value, problem } = parseWorkerDefinition(shipped(role), definitionName(role));
    expect(problem).toBeNull();
    expect(shipped(role).trim().split('\n').length).toBeLessThanOrEqual(35);
    expect(value?.kinds.includes('edit')).toBe(role === 'builder');
    expect(value?.kinds).toContain('read');
  }
});

const definition = (matter: string, body = 'Work.'): ReturnType<typeof parseWorkerDefinition> =>
  parseWorkerDefinition(`---\n${matter}\n---\n${body}\n`, 'ralph-builder');

test('tools are a list or names with commas, with or without what they are limited to', () => {
  const tools = (text: string) => definition(`name: ralph-builder\ndescription: d\n${text}`).value?.kinds;
  expect(tools('tools: [Read, "Bash(git log:*)"]')).toEqual(['read', 'command']);
  expect(tools('tools: Read, Write')).toEqual(['read', 'edit']);
  expect(tools('tools: []')).toEqual([]);
  expect(tools('')).toEqual(['read', 'edit', 'command', 'network']);
});

test.each([
  ['no front matter', () => parseWorkerDefinition('# Work', 'ralph-builder'), /no readable front matter/],
  ['another name', () => definition('name: other\ndescription: d'), /is named "other", not ralph-builder/],
  ['no description', () => definition('name: ralph-builder'), /no description/],
  [
    'tools of another form',
    () => definition('name: ralph-builder\ndescription: d\ntools: {a: 1}'),
    /not a list/,
  ],
  [
    'an empty body',
    () => definition('name: ralph-builder\ndescription: d', ''),
    /has no text below its front matter/,
  ],
])('a definition with %s is refused with the reason', (_, parsed, reason) => {
  const { value, problem } = parsed();
  expect(value).toBeNull();
  expect(problem).toMatch(reason);
});

test('what a definition lists no tool for is refused under every preset, but never our own tools', () => {
  for (const preset of ['ask', 'edits', 'workspace', 'all'] as const) {
    const request = { preset, role: 'Executor', kind: 'command', inside: true, without: 'builder' } as const;
    expect(decidePermission({ ...request, ours: false })).toEqual({
      decision: 'refuse',
      why: 'the builder has no tool for this: its definition lists none',
    });
    expect(decidePermission({ ...request, ours: true })).toEqual({ decision: 'allow' });
  }
});
