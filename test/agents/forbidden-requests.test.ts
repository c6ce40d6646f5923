import { expect, test } from 'vitest';
import { decidePermission, forbiddenBy, type PermissionAsk } from '../../src/agents/permissions.ts';
import { noGuidance } from '../../src/session/guidance/guidance.ts';

const guidance = { ...noGuidance, forbidden: [{ path: 'gen/**' }, { command: 'git push' }, 'words'] };

const ask = (replace: Partial<PermissionAsk>): PermissionAsk => ({
  call: 'call-1',
  kind: 'edit',
  title: 'x',
  command: null,
  directory: '/work',
  paths: [],
  diffs: [],
  inside: true,
  ours: false,
  root: '/work',
  notes: [],
  memory: { identity: 'x' },
  ...replace,
});

test.each([
  { request: ask({ paths: ['/work/gen/a.ts'] }), decision: 'refuse' },
  { request: ask({ paths: ['/work/src/a.ts'] }), decision: 'allow' },
  { request: ask({ kind: 'read', paths: ['/work/gen/a.ts'] }), decision: 'allow' },
  { request: ask({ kind: 'command', command: 'cd x && git push' }), decision: 'refuse' },
  { request: ask({ kind: 'command', command: 'git status' }), decision: 'allow' },
  { request: ask({ ours: true, paths: ['/work/gen/a.ts'] }), decision: 'allow' },
])(
  'a request is decided as $decision even under the preset all: $request.command $request.paths',
  ({ request, decision }) => {
    const forbidden = forbiddenBy(guidance, request, '/work');
    expect(decidePermission({ preset: 'all', role: 'Executor', ...request, forbidden }).decision).toBe(
      decision,
    );
  },
);
