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

test('a call that was not asked about is seen by its kind', () => {
  expect(sawNotAllowed(['Read'], 'edit')).toBe('the skill allows only Read');
  expect(sawNotAllowed(['Read'], 'delete')).toBe('the skill allows only Read');
  expect(sawNotAllowed(['Read'], 'read')).toBeNull();
  expect(sawNotAllowed(['Bash(ls)'], 'execute')).toBeNull();
  expect(sawNotAllowed(null, 'edit')).toBeNull();
});
