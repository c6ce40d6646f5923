import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { withSeenHooks } from '../../src/cli/trust/seen-hooks.ts';
import { unseenCode } from '../../src/engine/flow/flow-port.ts';
import type { PullRequests } from '../../src/issues/pull-requests/pull-requests.ts';
import { git, repositoryWith } from '../helpers/repository.ts';

const wanted = { branch: 'ralph/1', title: 'One', body: '', base: null };

/** The pull requests of a repository whose hooks are `place`, which count what they pushed. */
const requestsOf = (place: string) => {
  const workspace = repositoryWith({ 'a.txt': 'a' });
  const hooks = join(workspace, place);
  if (!place.startsWith('.git/')) git(workspace, 'config', 'core.hooksPath', place);
  mkdirSync(hooks, { recursive: true });
  writeFileSync(join(hooks, 'pre-push'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  let pushed = 0;
  const refused = async () => ({ ok: false, faults: [] }) as const;
  const all: PullRequests = {
    open: async () => {
      pushed += 1;
      return { ok: true, value: { url: 'https://example.org/1' } };
    },
    look: refused,
    merge: refused,
  };
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  return {
    hooks,
    requests: withSeenHooks(env, { disk: createDisk() }, workspace, all),
    pushed: () => pushed,
  };
};

test.each(['.husky', '.git/hooks'])(
  'a branch is pushed while the hooks in %s are as they were',
  async (place) => {
    const { requests, pushed } = requestsOf(place);
    expect(await requests.open(wanted)).toMatchObject({ ok: true });
    expect(pushed()).toBe(1);
  },
);

test.each([
  ['.husky', 'pre-push', '#!/bin/sh\ntouch owned\n'],
  ['.husky', 'pre-push.d/more', 'touch owned\n'],
  ['.git/hooks', 'pre-push', '#!/bin/sh\ntouch owned\n'],
])('a hook that changed in %s is named, and nothing is pushed (%s)', async (place, name, text) => {
  const { hooks, requests, pushed } = requestsOf(place);
  mkdirSync(join(hooks, 'pre-push.d'), { recursive: true });
  writeFileSync(join(hooks, name), text, { mode: 0o755 });
  expect(await requests.open(wanted)).toMatchObject({
    ok: false,
    faults: [{ code: unseenCode, what: expect.stringContaining(join(place, name)) }],
  });
  expect(pushed()).toBe(0);
});
