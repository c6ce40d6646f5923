import { expect, test } from 'vitest';
import type { PermissionKind } from '../../src/agents/permissions.ts';
import { notAllowedBy, sawNotAllowed } from '../../src/skills/agent/allowed-tools.ts';

const asked = (kind: PermissionKind, command: string | null = null) => ({ kind, command });

test.each([
  [null, asked('edit'), true],
  [['Read'], asked('read'), true],
  [[], asked('read'), true],
  [['Read', 'Grep'], asked('edit'), false],
  [['Read', 'Grep'], asked('command', 'ls'), false],
  [['Edit'], asked('edit'), true],
  [['Write'], asked('edit'), true],
  [['Edit'], asked('network'), false],
  [['WebFetch'], asked('network'), true],
  [['Bash'], asked('command', 'rm -rf x'), true],
  [['Bash'], asked('edit'), false],
  [['Bash'], asked('mode'), false],
  [['Unknown', 'mcp__x__y'], asked('other'), false],
  [['Bash(git log:*)'], asked('command', 'git log --oneline'), true],
  [['Bash(git log *)'], asked('command', 'git log'), true],
  [['Bash(git log:*)'], asked('command', 'git logout'), false],
  [['Bash(git log:*)'], asked('command', 'git log; rm -rf x'), false],
  [['Bash(git log:*)'], asked('command', 'git log $(rm -rf x)'), false],
  [['Bash(git log:*)'], asked('command', 'git log\nrm -rf x'), false],
  [['Bash(npm test)'], asked('command', 'npm test -- --watch'), false],
  [['Bash(npm test)'], asked('command', 'npm test'), true],
  [['Bash(npm test)'], asked('command', null), false],
] as const)('allowed-tools %j and %j: %s', (allowed, request, isAllowed) => {
  expect(notAllowedBy(allowed, request)).toEqual(
    isAllowed ? null : `the skill allows only ${allowed?.join(', ') || 'reading'}`,
  );
});

test.each([
  [['Read'], asked('edit'), true],
  [['Read'], asked('read'), false],
  [['Read'], asked('other'), false],
  [['Bash(ls)'], asked('command', 'ls'), false],
  [['Bash(ls)'], asked('command', 'rm -rf x'), true],
  [['Bash(ls)'], asked('command', null), true],
  [['Bash'], asked('command', null), false],
  [['Bash(ls)'], asked('edit'), true],
  [null, asked('edit'), false],
] as const)(
  'a call that was not asked about: %j and %j is outside of the list: %s',
  (allowed, call, isOutside) => {
    expect(sawNotAllowed(allowed, call)).toBe(
      isOutside ? `the skill allows only ${allowed?.join(', ')}` : null,
    );
  },
);
