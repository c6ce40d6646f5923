import { expect, test } from 'vitest';
import { chooseIsolation, wantsWorktrees } from '../../src/changes/choose-isolation.ts';
import { defaultSettings } from '../../src/session/settings.ts';

const settings = (more: Partial<typeof defaultSettings>) => ({ ...defaultSettings, ...more });
const withModel = settings({ roles: { executor: 'codex' } });

test('auto wants worktrees as soon as a model works on a task, by its role or by the task itself', () => {
  expect(wantsWorktrees(defaultSettings, [])).toBe(false);
  expect(wantsWorktrees(defaultSettings, [{}, {}])).toBe(false);
  expect(wantsWorktrees(settings({ roles: { reviewer: 'codex' } }), [{}])).toBe(false);
  expect(wantsWorktrees(withModel, [])).toBe(true);
  expect(wantsWorktrees(withModel, [{ agent: 'script' }])).toBe(false);
  expect(wantsWorktrees(defaultSettings, [{}, { agent: 'codex' }])).toBe(true);
});

test('commits on the branch of the person, and a stated isolation, win over the default', () => {
  expect(wantsWorktrees({ ...withModel, commit: true }, [])).toBe(false);
  expect(wantsWorktrees({ ...withModel, isolation: 'shared' }, [])).toBe(false);
  expect(wantsWorktrees({ ...defaultSettings, isolation: 'worktree', commit: true }, [])).toBe(true);
});

test('where worktrees are impossible the default shares the workspace and says why; a stated worktree is refused', () => {
  const fine = { worktrees: { ok: true }, notes: [] } as const;
  const none = { worktrees: { ok: false, reason: 'There is no git here.' }, notes: [] } as const;
  expect(chooseIsolation({ isolation: 'auto' }, fine)).toEqual({ isolation: 'worktree', reason: null });
  expect(chooseIsolation({ isolation: 'auto' }, none)).toEqual({
    isolation: 'shared',
    reason: 'There is no git here. Tasks share the workspace',
  });
  expect(chooseIsolation({ isolation: 'worktree' }, none)).toMatchObject({
    code: 'no-worktrees',
    what: 'There is no git here',
  });
});

test('a submodule with work of its own keeps the default from worktrees', () => {
  const sentence = 'lib is a submodule with changes.';
  const examined = { worktrees: { ok: true }, notes: [{ kind: 'dirty-submodules', sentence }] } as const;
  expect(chooseIsolation({ isolation: 'auto' }, examined)).toMatchObject({ isolation: 'shared' });
  expect(chooseIsolation({ isolation: 'worktree' }, examined)).toMatchObject({ isolation: 'worktree' });
});
