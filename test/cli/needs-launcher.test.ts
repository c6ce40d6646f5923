import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands/index.ts';
import { hosting, needsLauncher } from '../../src/cli/launcher/needs-launcher.ts';

const terminal = { hasScreen: () => true, platform: 'linux' };

test.each([
  [[], true],
  [['--ascii'], true],
  [['run', '--plan', 'plan.yaml'], true],
  [['resume'], true],
  [['demo', 'loop'], true],
  [['attach', '260101-120000'], true],
  [['run', '--headless'], false],
  [['run', '--json'], false],
  [['run', '--background'], false],
  [['run', '--screen-reader'], false],
  [['run', '--help'], false],
  [['--version'], false],
  [['status'], false],
  [['signal', 'INFO', 'run'], false],
  [['hook', 'Stop'], false],
  [['host', '/a/directory'], false],
] as const)('%j runs behind a launcher: %s', (argv, needed) => {
  expect(needsLauncher(argv, terminal)).toBe(needed);
});

test('without a screen, and where processes have no groups, nothing runs behind a launcher', () => {
  expect(needsLauncher(['run'], { ...terminal, hasScreen: () => false })).toBe(false);
  expect(needsLauncher(['run'], { ...terminal, platform: 'win32' })).toBe(false);
});

test('each command that may run behind a launcher is one of the program', () => {
  expect(Object.keys(commands)).toEqual(expect.arrayContaining([...hosting]));
});
