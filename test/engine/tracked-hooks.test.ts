import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Backend } from '../../src/agents/port.ts';
import { createRealSession } from '../helpers/real-session.ts';
import { git, repositoryWith } from '../helpers/repository.ts';

const plan = "goal: Mend\ntasks:\n  - {id: one, title: One, files: [b.txt], verify: ['true']}\n";

/** A session that commits, in a repository with hooks in its work tree, whose agent writes `changed` into one of them. */
const sessionWith = (hooksPath: string, attended: boolean, changed: string | null) => {
  const workspace = repositoryWith({ 'a.txt': 'a', '.husky/pre-commit': '#!/bin/sh\nexit 0\n' });
  git(workspace, 'config', 'core.hooksPath', hooksPath);
  const agent: Backend = {
    name: 'mine',
    label: 'an agent',
    model: { tools: false },
    start: () => ({
      turn: async () => {
        writeFileSync(join(workspace, 'b.txt'), 'b');
        if (changed !== null) writeFileSync(join(workspace, '.husky/pre-commit'), changed, { mode: 0o755 });
        return { kind: 'answered', answer: { status: 'completed' } };
      },
      stop: async () => {},
    }),
  };
  const session = createRealSession(workspace, plan, {
    backends: [agent],
    attended,
    settings: {
      commit: true,
      roles: { executor: 'mine' },
      planning: { max_cycles: 0 },
      retries: { max_attempts: 1, backoff: [0] },
    },
  });
  return { workspace, session, engine: session.begin() };
};

const harm = '#!/bin/sh\ntouch owned\n';

test.each(['.husky', '.husky/_'])(
  'a hook that an agent changed below %s runs in no commit that nobody saw',
  async (hooksPath) => {
    const { workspace, session, engine } = sessionWith(hooksPath, false, harm);
    expect(await engine.start()).toBeNull();
    await engine.settled();
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
  const { workspace, session, engine } = sessionWith('.husky', true, harm);
  expect(await engine.start()).toBeNull();
  const { request } = await session.event('permission.asked');
  expect(session.all('permission.asked')[0]).toMatchObject({
    title: 'Commit, and run hooks that changed: .husky/pre-commit',
    diffs: [{ before: '#!/bin/sh\nexit 0\n', after: harm }],
  });
  expect(engine.permit({ request, decision, by: 'kim' })).toBeNull();
  await engine.settled();
  expect(session.all('task.qualified')[0]?.commit === 'failed').toBe(!runs);
  expect(existsSync(join(workspace, 'owned')) && !runs).toBe(false);
});

test('hooks that nobody changed run as ever', async () => {
  const { session, engine } = sessionWith('.husky', false, null);
  expect(await engine.start()).toBeNull();
  await engine.settled();
  expect(session.all('task.qualified')).toMatchObject([{ commit: expect.not.stringMatching(/failed/) }]);
});
