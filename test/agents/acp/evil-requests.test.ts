import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { decidePermission, type PermissionAsk } from '../../../src/agents/permissions.ts';
import { unknownAgent } from '../../../src/agents/profiles/profile.ts';
import { permissionPresets } from '../../../src/session/settings/permission-presets.ts';
import { acpBackend } from '../../helpers/acp-backend.ts';
import { briefOf, go, taskOf } from '../../helpers/role-port.ts';
import { type EvilPlace, evilActions, evilRequests } from '../../helpers/scripted-agent/evil-requests.ts';
import { createScriptedAgent } from '../../helpers/scripted-agent/scripted-agent.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

/** A repository, or a worktree beside it, with every link that the requests name. */
const placeOf = (isolation: 'shared' | 'worktree'): EvilPlace => {
  const all = tempDir();
  const home = join(all, 'home');
  const workspace = join(all, 'work');
  const root = isolation === 'shared' ? workspace : join(all, 'state/left-1');
  const put = (path: string, text = 'x\n'): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  put(join(home, '.ssh/id_ed25519'));
  put(join(workspace, '.git/hooks/pre-commit'));
  put(join(root, 'src/a.ts'));
  put(join(root, '.github/agents/x.md'));
  put(join(root, 'vendor/lib/.git/config'));
  if (isolation === 'worktree') put(join(root, '.git'), `gitdir: ${workspace}/.git/worktrees/left-1\n`);
  const link = (path: string, target: string): void => symlinkSync(target, join(root, path));
  link('out', home);
  link('key', join(home, '.ssh/id_ed25519'));
  link('src/far', '../out/.ssh/id_ed25519');
  link('loop', 'loop');
  link('dangling', join(home, 'not-there'));
  link('githooks', '.git/hooks');
  return { root, workspace, session: join(workspace, '.ralph-sessions/260215-101500'), home };
};

/** What a real process asks for, in order. Nothing is allowed: the agent goes on. */
const askedBy = async (place: EvilPlace): Promise<readonly PermissionAsk[]> => {
  const agent = createScriptedAgent(tempDir(), { turns: [{ actions: evilActions(place) }] });
  const profile = { ...unknownAgent, name: 'evil', label: 'Evil', command: [agent.command, ...agent.args] };
  const asks: PermissionAsk[] = [];
  const worker = acpBackend(profile).start(
    briefOf({ workspace: place.root, sessionDirectory: place.session, task: taskOf({}), attempt: 1 }),
    {
      emit: () => {},
      output: () => {},
      permission: async (ask) => {
        asks.push(ask);
        return 'refuse';
      },
    },
  );
  await worker.turn({ kind: 'implement', prompt: 'go', messages: [] }, async () => go());
  await worker.end?.();
  return asks;
};

const decisions = (ask: PermissionAsk | undefined): readonly string[] =>
  permissionPresets.map((preset) =>
    ask === undefined ? '-' : decidePermission({ preset, role: 'Executor', ...ask }).decision,
  );

test('86 requests of an evil agent are allowed and asked about as the table says, under each preset and isolation', async () => {
  const places = [placeOf('shared'), placeOf('worktree')] as const;
  const [shared, worktree] = await Promise.all(places.map(askedBy));
  const names = Object.keys(evilRequests(places[0]));
  expect(names).toHaveLength(86);
  expect([shared?.length, worktree?.length]).toEqual([86, 86]);
  const short: Readonly<Record<string, string>> = { allow: 'yes', ask: 'ask', refuse: 'no' };
  const cells = (ask: PermissionAsk | undefined): string =>
    decisions(ask)
      .map((decision) => (short[decision] ?? decision).padEnd(5))
      .join('');
  const rows = names.map((name, index) =>
    `${name.padEnd(48)}${cells(shared?.[index])}  ${cells(worktree?.[index])}`.trimEnd(),
  );
  const presets = permissionPresets.map((preset) => preset.slice(0, 4).padEnd(5)).join('');
  const head = [
    `${''.padEnd(48)}${'shared'.padEnd(22)}worktrees`,
    `${''.padEnd(48)}${presets}  ${presets}`.trimEnd(),
  ];
  await expect([...head, ...rows, ''].join('\n')).toMatchFileSnapshot('../../golden/permissions.txt');
});
