import { expect, test } from 'vitest';
import { permissionAsk } from '../../src/agents/backends/acp/permission/permission-ask.ts';
import { pathsReadBy } from '../../src/agents/backends/acp/permission/read-command.ts';
import type { KnownCall } from '../../src/agents/backends/acp/tool-book.ts';
import { decidePermission, forbiddenBy } from '../../src/agents/permissions.ts';
import { createPlaces } from '../../src/agents/places.ts';
import { gemini } from '../../src/agents/profiles/gemini.ts';
import { type AgentProfile, unknownAgent } from '../../src/agents/profiles/profile.ts';
import { noGuidance } from '../../src/session/guidance/guidance.ts';
import { permissionPresets } from '../../src/session/settings/permission-presets.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';

const disk = createSimulatedDisk();
disk.mkdir('/work/a');
disk.putSymlink('/linked', '/work');
const systemPath = '/usr/bin:/bin';
const places = createPlaces(disk, '/work', [], systemPath);
const call: KnownCall = {
  id: 'c1',
  title: 'exec',
  kind: 'execute',
  paths: [],
  content: [],
  rawInput: null,
  name: null,
  parent: null,
};

const judged = (
  asked: Partial<KnownCall>,
  announced: Partial<KnownCall> | null = null,
  profile: Pick<AgentProfile, 'ownTool' | 'titleIsCommand'> = unknownAgent,
  path = systemPath,
) =>
  permissionAsk(
    { call: { ...call, ...asked }, announced: announced === null ? null : { ...call, ...announced } },
    { profile, places: path === systemPath ? places : createPlaces(disk, '/work', [], path) },
  );
const ofCommand = (command: string, more: object = {}) =>
  judged({ rawInput: { command, cwd: '/work/a', ...more } });

test.each([
  ['cat a.txt', ['a.txt']],
  ["/bin/bash -lc 'cat a.txt | head -n 5'", ['a.txt', '5']],
  ['sed -n 1,20p src/a.ts && wc -l src/b.ts', ['src/a.ts', 'src/b.ts']],
  ["grep -rn '/etc' src; ls -la", ['src']],
  ['rg -n -e x src', ['x', 'src']],
  ['pwd', []],
])('%s only reads', (command, paths) => {
  expect(pathsReadBy(command)).toEqual(paths);
});

test.each([
  'touch a.txt',
  'cat a.txt > b.txt',
  'cat a.txt & rm a.txt',
  'cat a.txt\nrm a.txt',
  'cat $(rm a.txt)',
  'cat *',
  'cat ~/.ssh/id_rsa',
  'cat a.txt | sh',
  'sh -c "cat a.txt" x',
  'sed -n 1,2p -i a.txt',
  "sed -n '1w b.txt' a.txt",
  'sed s/a/b/ a.txt',
  'rg --pre ./run x',
  'rg -z x',
  'grep -f list x',
  'wc --files0-from=list',
  'cat =ls',
  './cat a.txt',
  'PATH=. cat a.txt',
  'cat a.txt |',
  '',
])('%j may do more than read', (command) => {
  expect(pathsReadBy(command)).toBeNull();
});

test('a command that only reads inside is a read under every preset, and elsewhere it stays a command', () => {
  const read = ofCommand('cat ../a.txt');
  expect(read).toMatchObject({ kind: 'read', command: 'cat ../a.txt', inside: true });
  for (const preset of permissionPresets)
    expect(decidePermission({ preset, role: 'Reviewer', ...read }).decision).toBe('allow');
  for (const command of ['cat /etc/passwd', 'cat ../../etc/passwd', 'cat ../.ralph/config.yaml', 'touch x'])
    expect([command, ofCommand(command).kind]).toEqual([command, 'command']);
  expect(ofCommand('cat b.txt', { additionalPermissions: { network: true } }).kind).toBe('command');
  expect(ofCommand('cat b.txt', { env: { PATH: '.' } }).kind).toBe('command');
  // A title may be a part of the command, but of an agent whose title is the whole.
  expect(judged({ title: 'cat a.txt' }).kind).toBe('command');
  expect(judged({ title: 'cat a.txt' }, null, gemini).kind).toBe('read');
});

test.each([
  '/work/node_modules/.bin:/usr/bin',
  'node_modules/.bin:/usr/bin',
  '/usr/bin:',
  '/linked/bin:/usr/bin',
  '',
])(
  'where the PATH is %j, an agent may have written what is called cat: nothing is a read by its name',
  (path) => {
    const asked = { rawInput: { command: 'cat b.txt', cwd: '/work/a' } };
    expect(judged(asked, null, unknownAgent, path).kind).toBe('command');
  },
);

test('a read that an agent announced as one and asks for as a command is no contradiction', () => {
  const announced = { kind: 'read', title: "Read file 'b.txt'", paths: ['/work/a/b.txt'] } as const;
  const asked = (command: string) =>
    judged({ title: command, paths: ['/work/a/b.txt'], rawInput: { command, cwd: '/work/a' } }, announced);
  expect(asked('cat b.txt')).toMatchObject({ kind: 'read', inside: true, notes: [] });
  expect(asked('touch b.txt').notes).toEqual(["the agent announced this call as read: Read file 'b.txt'"]);
});

test('a command that the guidance forbids is refused although it only reads', () => {
  const guidance = { ...noGuidance, forbidden: [{ command: 'cat' }, { path: '**' }] };
  expect(forbiddenBy(guidance, ofCommand('cat b.txt'), '/work')).toContain('cat');
  expect(forbiddenBy(guidance, ofCommand('head b.txt'), '/work')).toBeNull();
});
