import { expect, test } from 'vitest';
import {
  type AskPorts,
  permissionAsk,
  type SentRequest,
} from '../../src/agents/backends/acp/permission/permission-ask.ts';
import type { KnownCall } from '../../src/agents/backends/acp/tool-book.ts';
import { askWords, decidePermission, type PermissionKind } from '../../src/agents/permissions.ts';
import { createPlaces } from '../../src/agents/places.ts';
import { claude } from '../../src/agents/profiles/claude.ts';
import { gemini } from '../../src/agents/profiles/gemini.ts';
import { profiles } from '../../src/agents/profiles/index.ts';
import { unknownAgent } from '../../src/agents/profiles/profile.ts';
import { qwen } from '../../src/agents/profiles/qwen.ts';
import { permissionPresets } from '../../src/session/settings/permission-presets.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';

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

test('edits of a reader in a flow are refused under every preset, and what it reads is not', () => {
  for (const preset of permissionPresets) {
    const reads = { preset, role: 'Executor', reader: 'researcher', inside: true, ours: false } as const;
    expect(decidePermission({ ...reads, kind: 'edit' })).toEqual({
      decision: 'refuse',
      why: 'the researcher does not edit files: it submits its text',
    });
    expect(decidePermission({ ...reads, kind: 'read' })).toEqual({ decision: 'allow' });
  }
});

const call: KnownCall = {
  id: 'c1',
  title: 'rm -rf build',
  kind: 'execute',
  paths: [],
  content: [],
  rawInput: null,
  name: null,
  parent: null,
};

const disk = createSimulatedDisk();
disk.mkdir('/work/a');
const places = createPlaces(disk, '/work');

/** The request as it is judged; with what the agent announced of the call before. */
const judged = (
  changes: Partial<KnownCall>,
  { announced = null, profile = unknownAgent }: Partial<SentRequest & AskPorts> = {},
) => permissionAsk({ call: { ...call, ...changes }, announced }, { profile, places });

test('a command is inside by its directory, an edit by every file, and what names none is outside', () => {
  expect(judged({ rawInput: { command: ['rm', '-rf', 'build'], cwd: '/work/a' } })).toMatchObject({
    kind: 'command',
    command: 'rm -rf build',
    directory: '/work/a',
    inside: true,
  });
  expect(judged({ rawInput: { command: 'ls', cwd: '/work/../etc' } }).inside).toBe(false);
  expect(judged({ kind: 'edit', paths: ['a.txt', '/work/b.txt'] }).inside).toBe(true);
  expect(judged({ kind: 'edit', paths: ['a.txt', '/workshop/b.txt'] }).inside).toBe(false);
  expect(judged({ kind: 'edit' }).inside).toBe(false);
  const many = Array.from({ length: 30 }, (_, index) => `${index}.txt`);
  expect(judged({ kind: 'edit', paths: many }).inside).toBe(true);
  expect(judged({ kind: 'edit', paths: [...many, '/etc/passwd'] }).inside).toBe(false);
});

test('the strictest kind that the fields show counts, and what an agent calls it is shown', () => {
  expect(judged({ kind: 'read', paths: ['a'], rawInput: { command: 'rm a' } })).toMatchObject({
    kind: 'command',
    inside: false,
    notes: ['the agent calls this "read", but its fields say "command"'],
  });
  const diff = { type: 'diff', path: 'a.txt', oldText: null, newText: 'x' } as const;
  expect(judged({ kind: 'search', content: [diff] })).toMatchObject({ kind: 'edit', inside: false });
  expect(judged({ rawInput: { command: 'npm i', url: 'https://example.org' } }).kind).toBe('network');
  // No preset but "all" allows a change of mode, and a command in it makes it no command.
  expect(
    judged({ kind: 'switch_mode', rawInput: { mode: 'plan', command: 'ls', cwd: '/work/a' } }).kind,
  ).toBe('mode');
  expect(judged({ kind: 'read', paths: ['a'], rawInput: { file_path: '/etc/passwd' } }).inside).toBe(false);
  expect(
    judged({ rawInput: { command: 'ls', additionalPermissions: { network: { enabled: true } } } }),
  ).toMatchObject({ inside: false, memory: { partial: 'it asks for more than this' } });
});

test('an argument without a known meaning is asked about, under each kind that a preset may allow', () => {
  for (const [kind, rawInput, unknown] of [
    ['read', { path: 'a', offset: 1, limit: 2, pages: null }, null],
    ['read', { path: 'a', cmd: 'rm a' }, 'cmd'],
    ['read', { path: 'a', toString: 'x' }, 'toString'],
    ['search', { pattern: '*.ts', path: 'a', type: 'ts' }, null],
    ['search', { pattern: '~/**', path: 'a' }, 'pattern'],
    ['edit', { file_path: 'a', old_string: '/etc', new_string: 'b', replace_all: true }, null],
    ['edit', { file_path: 'a', edits: [{ old_string: 'a', new_string: 'b' }] }, null],
    ['edit', { file_path: 'a', edits: [{ old_string: 'a', path: '/etc/passwd' }] }, 'edits'],
    ['execute', { command: 'ls', timeout: 5, description: 'lists', run_in_background: false }, null],
    ['execute', { command: 'ls', env: { PATH: '.' } }, 'env'],
    ['execute', { command: 'ls', shell: '/tmp/sh' }, 'shell'],
  ] as const)
    expect([kind, judged({ kind, paths: ['a'], rawInput }).notes]).toEqual([
      kind,
      unknown === null ? [] : [`it has arguments that this program does not know: ${unknown}`],
    ]);
});

test('what the agent announced of a call never makes it easier, and makes it asked about where it differs', () => {
  const ls = { ...call, title: 'ls', rawInput: { command: 'ls' } };
  const touch = { title: 'touch x', rawInput: { command: 'touch x' } };
  expect(judged(touch, { announced: { ...ls, kind: 'read', rawInput: null } })).toMatchObject({
    inside: false,
    notes: ['the agent announced this call as read: ls'],
  });
  expect(judged(touch, { announced: ls }).notes).toEqual([
    'the agent announced this call with a different command: ls',
  ]);
  expect(
    judged(touch, { announced: { ...call, ...touch, rawInput: { command: 'touch x', cwd: '/etc' } } }).notes,
  ).toEqual(['the agent announced this call differently: /etc is outside the workspace']);
  expect(judged(touch, { announced: { ...call, ...touch } }).inside).toBe(true);
  expect(judged({ title: '', kind: 'other' }, { announced: ls })).toMatchObject({
    title: 'other without a name',
    command: null,
    inside: false,
  });
});

test.each([
  [['/bin/bash', '-lc', `grep -n 'it is' a.txt`], `grep -n 'it is' a.txt`, true],
  [['bash', '-lc', 'echo "$HOME" && cat a.txt | wc -l'], 'echo "$HOME" && cat a.txt | wc -l', true],
  [`grep -n "it is" a.txt`, ['grep', '-n', 'it is', 'a.txt'], true],
  ['npm  test ', 'npm test', true],
  ['echo it is', ['echo', 'it is'], false],
  ['echo $HOME', `echo '$HOME'`, false],
  ['echo *', `echo '*'`, false],
  ['cat a; rm b', `cat 'a; rm b'`, false],
  [['bash', '-lc', 'cat a', 'rm b'], 'cat a', false],
  [['sh', '-c', 'rm a'], 'cat a', false],
] as const)('%j announced as %j is the same command: %j', (asked, announced, isSame) => {
  const of = (command: string | readonly string[]) => ({ title: 'a command', rawInput: { command } });
  const { notes } = judged(of(asked), { announced: { ...call, ...of(announced) } });
  expect(notes.some((note) => note.includes('announced this call with a different command'))).toBe(!isSame);
});

test('a difference that was only announced is shown beside the file that the request names', () => {
  const diff = (path: string) => ({ type: 'diff', path, oldText: 'a', newText: 'b' }) as const;
  const announced: KnownCall = {
    ...call,
    kind: 'edit',
    content: [diff('/work/a.txt'), diff('/work/b.txt')],
  };
  expect(judged({ kind: 'edit', paths: ['/work/a.txt'] }, { announced })).toMatchObject({
    inside: true,
    diffs: [{ path: '/work/a.txt', before: 'a', after: 'b' }],
  });
});

test('a tool of ours is known by the name that this agent gives it, never by an argument, and never as a command', () => {
  const isOurs = (profile: AskPorts['profile'], changes: Partial<KnownCall>): boolean =>
    judged({ kind: 'other', ...changes }, { profile }).ours;
  const ofGemini = { id: 'mcp_ralph_task_update__1', title: 'task_update (ralph MCP Server)' };
  expect(isOurs(gemini, ofGemini)).toBe(true);
  expect(isOurs(claude, { name: 'mcp__ralph__task_get' })).toBe(true);
  expect(isOurs(qwen, { name: 'mcp__ralph__task_get' })).toBe(true);
  const arguments_ = { server: 'ralph', tool: 'task_update', arguments: {} };
  for (const profile of [...profiles, unknownAgent]) {
    expect(isOurs(profile, { rawInput: arguments_ })).toBe(false);
    for (const kind of ['execute', 'edit', 'delete', 'move', 'fetch', 'switch_mode'] as const)
      expect(isOurs(profile, { ...ofGemini, name: 'mcp__ralph__task_update', kind })).toBe(false);
    expect(
      isOurs(profile, { ...ofGemini, name: 'mcp__ralph__task_update', rawInput: { command: 'touch x' } }),
    ).toBe(false);
  }
  expect(isOurs(gemini, { ...ofGemini, id: 'run_shell_command__1' })).toBe(false);
  expect(isOurs(gemini, { name: 'mcp__ralph__task_update' })).toBe(false);
  expect(isOurs(qwen, { name: 'mcp__ralph__rm' })).toBe(false);
  expect(isOurs(unknownAgent, { name: 'mcp__ralph__task_update' })).toBe(false);
});

test('a command that names git’s own directory, or removes the workspace, is asked about', () => {
  const notes = (command: string) => judged({ rawInput: { command } }).notes;
  for (const command of [
    'rm -rf .git',
    'cp x .git/hooks/pre-commit',
    'sh -c "echo x > .git/config"',
    'mv /work/.git away',
  ])
    expect(notes(command)[0]).toContain('which belongs to git');
  for (const command of [
    'rm -rf .',
    'rm -rf ./*',
    'rm -rf /work',
    'find . -delete',
    'cd a && rm -rf ../*',
    'rm -rf /',
  ])
    expect(notes(command)[0]).toContain('the command removes the workspace');
  for (const command of [
    'rm -rf build',
    'git status',
    'find . -name x',
    'rm a/*',
    'cat .gitignore',
    'rm -rf ../work/a',
  ])
    expect(notes(command)).toEqual([]);
});

test('a permission for the session holds for all of a command and for its place in the repository', () => {
  const ask = (command: string, root: string) =>
    permissionAsk(
      { call: { ...call, rawInput: { command, cwd: `${root}/a` } }, announced: null },
      { profile: unknownAgent, places: createPlaces(disk, root) },
    ).memory;
  disk.mkdir('/state/left-1/a');
  const long = 'x'.repeat(9_000);
  expect(ask('npm test', '/work')).toEqual(ask('npm test', '/state/left-1'));
  expect(ask(`echo ${long} a`, '/work')).not.toEqual(ask(`echo ${long} b`, '/work'));
  expect(judged({ rawInput: { command: 'npm test' } }).memory).not.toEqual(ask('npm test', '/work'));
  expect(judged({ kind: 'edit', paths: ['a'] }).memory).not.toEqual(
    judged({ kind: 'delete', paths: ['a'] }).memory,
  );
});

test('what a request does not give whole is said, and never remembered', () => {
  const partial = { partial: 'the agent shows only a title, but the command may be longer' };
  expect(judged({}).memory).toEqual(partial);
  expect(judged({}, { profile: gemini }).memory).toHaveProperty('identity');
  expect(judged({ kind: 'fetch', title: 'Processing URLs' }).memory).toEqual({
    partial: 'the agent shows only a title, which may be incomplete',
  });
  expect(judged({ kind: 'fetch', rawInput: { url: 'https://example.org' } }).memory).toHaveProperty(
    'identity',
  );
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
