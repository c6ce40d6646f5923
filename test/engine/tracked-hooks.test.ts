import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Backend } from '../../src/agents/port.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { ranByGit } from '../../src/cli/trust/ran-by-git.ts';
import { createRealSession } from '../helpers/real-session.ts';
import { git, repositoryWith } from '../helpers/repository.ts';

const plan = "goal: Mend\ntasks:\n  - {id: one, title: One, files: [b.txt], verify: ['true']}\n";

/** Says in the repository's configuration where hooks are, and returns the environment of this program. */
type Say = (workspace: string) => Readonly<Record<string, string>>;

const inConfig =
  (hooksPath: string): Say =>
  (workspace) => {
    git(workspace, 'config', 'core.hooksPath', hooksPath);
    return {};
  };

/** A session that commits, in a repository with hooks in its work tree, whose agent writes `changed` into one of them, or does what it says. */
const sessionWith = (
  say: Say,
  attended: boolean,
  changed: string | null | ((workspace: string) => void),
  unattended: 'wait' | 'refuse' = 'wait',
) => {
  const workspace = repositoryWith({ 'a.txt': 'a', '.husky/pre-commit': '#!/bin/sh\nexit 0\n' });
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...say(workspace) };
  const agent: Backend = {
    name: 'mine',
    label: 'an agent',
    model: { tools: false },
    start: () => ({
      turn: async () => {
        writeFileSync(join(workspace, 'b.txt'), 'b');
        if (typeof changed === 'string') writeHook(workspace, changed);
        else changed?.(workspace);
        return { kind: 'answered', answer: { status: 'completed', files_modified: ['b.txt'] } };
      },
      stop: async () => {},
    }),
  };
  const session = createRealSession(workspace, plan, {
    backends: [agent],
    attended,
    ranByGit: () => ranByGit(env, { disk: createDisk() }, workspace),
    settings: {
      commit: true,
      'permissions.unattended': unattended,
      roles: { executor: 'mine' },
      planning: { max_cycles: 0 },
      retries: { max_attempts: 1, backoff: [0] },
    },
  });
  return { workspace, session, engine: session.begin() };
};

const writeHook = (workspace: string, text: string): void => {
  writeFileSync(join(workspace, '.husky/pre-commit'), text);
  chmodSync(join(workspace, '.husky/pre-commit'), 0o755);
};

const harm = '#!/bin/sh\ntouch owned\n';

const included = (workspace: string): string => {
  const file = join(workspace, '.git/more');
  writeFileSync(file, '[core]\n\thooksPath = .husky\n');
  return file;
};

test.each<readonly [string, Say]>([
  ['the configuration', inConfig('.husky')],
  ['husky', inConfig('.husky/_')],
  [
    'the configuration of a worktree',
    (workspace) => {
      git(workspace, 'config', 'extensions.worktreeConfig', 'true');
      git(workspace, 'config', '--worktree', 'core.hooksPath', '.husky');
      return {};
    },
  ],
  [
    'an included file',
    (workspace) => {
      git(workspace, 'config', 'include.path', included(workspace));
      return {};
    },
  ],
  ['the configuration of the person', (workspace) => ({ GIT_CONFIG_GLOBAL: included(workspace) })],
  [
    'the environment',
    () => ({
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.hooksPath',
      GIT_CONFIG_VALUE_0: '.husky',
    }),
  ],
])(
  'a hook that an agent changed, in the directory that %s names, runs in no commit that nobody saw',
  async (_, say) => {
    const { workspace, session, engine } = sessionWith(say, false, harm);
    expect(await engine.start()).toBeNull();
    const end = await engine.settled();
    expect(end).toMatchObject({ exitCode: 3, status: 'completed' });
    expect(end.reason).toContain('look at .husky/pre-commit, then commit it');
    expect(existsSync(join(workspace, 'owned'))).toBe(false);
    expect(session.all('task.qualified')).toMatchObject([
      { commit: 'failed', commit_detail: expect.stringContaining('.husky/pre-commit') },
    ]);
  },
);

test.each([
  ['once', true],
  ['no', false],
] as const)('a person at the screen sees it, and answers %s', async (decision, runs) => {
  const { workspace, session, engine } = sessionWith(inConfig('.husky'), true, harm);
  expect(await engine.start()).toBeNull();
  const { request } = await session.event('permission.asked');
  expect(session.all('permission.asked')[0]).toMatchObject({
    title: 'Commit by hooks or settings that changed: .husky/pre-commit',
    diffs: [{ before: '#!/bin/sh\nexit 0\n', after: harm }],
  });
  expect(engine.permit({ request, decision, by: 'kim' })).toBeNull();
  await engine.settled();
  expect(session.all('task.qualified')[0]?.commit === 'failed').toBe(!runs);
  expect(existsSync(join(workspace, 'owned'))).toBe(runs);
});

test('a hook that changes again while a person looks at it is shown again', async () => {
  const { workspace, session, engine } = sessionWith(inConfig('.husky'), true, '#!/bin/sh\nexit 0 # seen\n');
  expect(await engine.start()).toBeNull();
  const { request } = await session.event('permission.asked');
  writeHook(workspace, harm);
  expect(engine.permit({ request, decision: 'once', by: 'kim' })).toBeNull();
  const again = await Promise.race([
    session.event('permission.asked', (asked) => asked.request !== request),
    engine.settled().then(() => null),
  ]);
  expect(existsSync(join(workspace, 'owned'))).toBe(false);
  expect(again).toMatchObject({ diffs: [{ before: '#!/bin/sh\nexit 0 # seen\n', after: harm }] });
  expect(engine.permit({ request: again?.request ?? '', decision: 'no', by: 'kim' })).toBeNull();
  await engine.settled();
  expect(existsSync(join(workspace, 'owned'))).toBe(false);
  expect(session.all('task.qualified')).toMatchObject([{ commit: 'failed' }]);
});

test('where nobody looks at a screen it is not called refused by the person', async () => {
  const { session, engine } = sessionWith(inConfig('.husky'), true, harm, 'refuse');
  expect(await engine.start()).toBeNull();
  expect(await engine.settled()).toMatchObject({ exitCode: 3 });
  expect(session.all('task.qualified')).toMatchObject([
    {
      commit: 'failed',
      commit_detail: expect.stringContaining('and no screen shows the session'),
      commit_unseen: ['.husky/pre-commit'],
    },
  ]);
});

test.each([
  ['changed', '.gitsettings', '[alias]\n\tst = status\n'],
  ['made', 'settings-to-come', null],
  ['made', 'mine.sample', null],
])(
  'a file in the work tree that the configuration includes, which an agent %s, takes part in no commit that nobody saw',
  async (_, name, before) => {
    const harmful = (workspace: string): string => `[core]\n\tfsmonitor = touch ${workspace}/owned; false\n`;
    const { workspace, session, engine } = sessionWith(
      (inside) => {
        if (before !== null) writeFileSync(join(inside, name), before);
        git(inside, 'config', 'include.path', `../${name}`);
        return {};
      },
      false,
      (inside) => writeFileSync(join(inside, name), harmful(inside)),
    );
    expect(await engine.start()).toBeNull();
    expect(await engine.settled()).toMatchObject({ exitCode: 3, status: 'completed' });
    expect(existsSync(join(workspace, 'owned'))).toBe(false);
    expect(session.all('task.qualified')).toMatchObject([{ commit: 'failed', commit_unseen: [name] }]);
  },
);

test('hooks that nobody changed run as ever', async () => {
  const { session, engine } = sessionWith(inConfig('.husky'), false, null);
  expect(await engine.start()).toBeNull();
  await engine.settled();
  expect(session.all('task.qualified')).toMatchObject([{ commit: expect.not.stringMatching(/failed/) }]);
});
