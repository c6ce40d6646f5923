import { describe, expect, test } from 'vitest';
import { decidePermission, type Preset } from '../../../src/agents/permissions.ts';
import { unknownAgent } from '../../../src/agents/profiles/profile.ts';
import { defaultSettings } from '../../../src/session/settings.ts';
import { acpBackend } from '../../helpers/acp-backend.ts';
import { briefOf, go, taskOf } from '../../helpers/role-port.ts';
import { createScriptedAgent } from '../../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

/** Every kind of request, as agents describe it; paths are relative to the workspace. */
const requests = {
  'read inside': { kind: 'read', locations: [{ path: 'a.txt' }] },
  'read outside': { kind: 'read', locations: [{ path: '/etc/hostname' }] },
  'edit inside': { kind: 'edit', locations: [{ path: 'a.txt' }] },
  'edit outside': { kind: 'edit', locations: [{ path: '../b.txt' }] },
  'delete inside': { kind: 'delete', locations: [{ path: 'a.txt' }] },
  'edit of a file nobody names': { kind: 'edit' },
  'command that only reads inside': { kind: 'execute', rawInput: { command: 'ls' } },
  'command inside': { kind: 'execute', rawInput: { command: 'make' } },
  'command outside': { kind: 'execute', rawInput: { command: 'ls', cwd: '/etc' } },
  network: { kind: 'fetch', rawInput: { url: 'https://example.org' } },
  'change of mode': { kind: 'switch_mode' },
  'something unknown': { kind: 'kind_of_the_future' },
} as const;
type Request = keyof typeof requests;

const allowed: Readonly<Record<Preset, readonly Request[] | 'all'>> = {
  ask: ['read inside', 'command that only reads inside'],
  edits: ['read inside', 'edit inside', 'delete inside', 'command that only reads inside'],
  workspace: [
    'read inside',
    'edit inside',
    'delete inside',
    'command that only reads inside',
    'command inside',
  ],
  all: 'all',
};

const presets: readonly Preset[] = ['ask', 'edits', 'workspace', 'all'];

/** Which requests of a real process were allowed; always "once", and always by the kind of the option. */
const allowedOf = async (permissions: Preset, role: 'Executor' | 'Reviewer'): Promise<readonly string[]> => {
  const workspace = tempDir();
  const agent = createScriptedAgent(tempDir(), {
    turns: [
      {
        actions: Object.entries(requests).map(([title, call], index) => ({
          do: 'permission' as const,
          toolCall: { toolCallId: `call-${index}`, title, status: 'pending', ...call },
        })),
      },
    ],
  });
  const profile = { ...unknownAgent, name: 'odd', label: 'Odd', command: [agent.command, ...agent.args] };
  const brief = briefOf({
    workspace,
    sessionDirectory: tempDir(),
    role,
    task: taskOf({}),
    attempt: 1,
    settings: { ...defaultSettings, permissions },
  });
  const worker = acpBackend(profile).start(brief, {
    emit: () => {},
    output: () => {},
    // Nobody is there to be asked.
    permission: async (ask) =>
      decidePermission({ preset: permissions, role, ...ask }).decision === 'allow' ? 'allow' : 'refuse',
  });
  await worker.turn({ kind: 'implement', prompt: 'go', messages: [] }, async () => go());
  await worker.end?.();
  const answers = agent.log().filter(({ what }) => what === 'permission');
  expect(answers).toHaveLength(Object.keys(requests).length);
  expect(answers.filter(({ kind }) => kind !== 'allow_once' && kind !== 'reject_once')).toEqual([]);
  return Object.keys(requests).filter((_, index) => answers[index]?.['kind'] === 'allow_once');
};

describe.each(presets)('%s', (preset) => {
  test('allows an Executor what it promises, once each, and nothing else while nobody can be asked', async () => {
    const wanted = allowed[preset];
    expect(await allowedOf(preset, 'Executor')).toEqual(wanted === 'all' ? Object.keys(requests) : wanted);
  });

  test('never lets a Reviewer edit', async () => {
    const edits: readonly string[] = [
      'edit inside',
      'edit outside',
      'delete inside',
      'edit of a file nobody names',
    ];
    expect((await allowedOf(preset, 'Reviewer')).filter((name) => edits.includes(name))).toEqual([]);
  });
});
