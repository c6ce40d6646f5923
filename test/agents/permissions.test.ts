import { expect, test } from 'vitest';
import { permissionAsk } from '../../src/agents/backends/acp/permission-ask.ts';
import { askWords, decidePermission, type PermissionKind } from '../../src/agents/permissions.ts';
import { permissionPresets } from '../../src/session/settings/permission-presets.ts';

const kinds: readonly PermissionKind[] = ['read', 'edit', 'command', 'network', 'mode', 'other'];
const decide = (preset: (typeof permissionPresets)[number], kind: PermissionKind, inside: boolean) =>
  decidePermission({ preset, role: 'Executor', kind, inside, ours: false }).decision;

test('each preset allows its kinds inside of the workspace, and asks about the rest', () => {
  const allowed = Object.fromEntries(
    permissionPresets.map((preset) => [
      preset,
      kinds.filter((kind) => decide(preset, kind, true) === 'allow'),
    ]),
  );
  expect(allowed).toEqual({
    ask: ['read'],
    edits: ['read', 'edit'],
    workspace: ['read', 'edit', 'command'],
    all: kinds,
  });
  for (const preset of permissionPresets)
    for (const kind of kinds) expect(decide(preset, kind, false)).toBe(preset === 'all' ? 'allow' : 'ask');
});

test('edits of every role but the Executor are refused under every preset, and our own tools are always allowed', () => {
  for (const preset of permissionPresets)
    for (const role of ['Planner', 'Questioner', 'Reviewer', 'Librarian'] as const) {
      const refused = decidePermission({ preset, role, kind: 'edit', inside: true, ours: false });
      expect(refused).toEqual({ decision: 'refuse', why: `a ${role} does not edit files` });
      expect(decidePermission({ preset, role, kind: 'other', inside: false, ours: true }).decision).toBe(
        'allow',
      );
    }
});

const call: Parameters<typeof permissionAsk>[0] = {
  id: 'c1',
  title: 'rm -rf build',
  kind: 'execute',
  paths: [],
  content: [],
  rawInput: null,
  name: null,
  parent: null,
};

test('a command is inside by its directory, an edit by every file, and what names none is outside', () => {
  const ask = (changes: Partial<Parameters<typeof permissionAsk>[0]>) =>
    permissionAsk({ ...call, ...changes }, '/work');
  expect(ask({ rawInput: { command: ['rm', '-rf', 'build'], cwd: '/work/a' } })).toMatchObject({
    kind: 'command',
    command: 'rm -rf build',
    directory: '/work/a',
    inside: true,
  });
  expect(ask({ rawInput: { command: 'ls', cwd: '/work/../etc' } }).inside).toBe(false);
  expect(ask({ kind: 'edit', paths: ['a.txt', '/work/b.txt'] }).inside).toBe(true);
  expect(ask({ kind: 'edit', paths: ['a.txt', '/workshop/b.txt'] }).inside).toBe(false);
  expect(ask({ kind: 'edit' }).inside).toBe(false);
});

test('calls of our own tools are known by server and tool, not by a title that a command could have', () => {
  const isOurs = (changes: Partial<Parameters<typeof permissionAsk>[0]>): boolean =>
    permissionAsk({ ...call, ...changes }, '/work').ours;
  expect(isOurs({ rawInput: { server: 'ralph', tool: 'task_update', arguments: {} } })).toBe(true);
  expect(
    isOurs({ id: 'mcp_ralph_task_update__1', title: 'task_update (ralph MCP Server)', kind: 'other' }),
  ).toBe(true);
  expect(isOurs({ name: 'mcp__ralph__task_get' })).toBe(true);
  expect(isOurs({ title: 'task_update (ralph MCP Server)' })).toBe(false);
  expect(isOurs({ rawInput: { server: 'other', tool: 'task_update' } })).toBe(false);
});

test.each([
  ['the command', { command: 'npm test', title: 'Shell', paths: [] }, 'npm test'],
  [
    'a title that names the file',
    { command: null, title: 'Writing to a.txt', paths: ['/w/a.txt'] },
    'Writing to a.txt',
  ],
  [
    'the files that a title leaves out',
    { command: null, title: 'Edit files', paths: ['/w/a.txt'] },
    'Edit files: a.txt',
  ],
  [
    'three files and the number of the rest',
    {
      command: null,
      title: 'Edit files',
      paths: ['/w/a.txt', '/w/b.txt', '/w/c.txt', '/w/d.txt', '/w/e.txt'],
    },
    'Edit files: a.txt, b.txt, c.txt, 2 more',
  ],
])('a request in one line says %s', (_, ask, words) => {
  expect(askWords(ask)).toBe(words);
});
