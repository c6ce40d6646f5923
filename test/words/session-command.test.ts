import { expect, test } from 'vitest';
import { commandHere } from '../../src/words/session-command.ts';

test('a command names the session, and its directory only where that is another one of this machine', () => {
  const command = (session: string, cwd: string): string =>
    commandHere({ session: { session, workspace: '/work' }, ui: { cwd } }, 'report');
  expect(command('260215-101500', '/work')).toBe('ralph-tui report --session 260215-101500');
  expect(command('260215-101500', '/home')).toBe('cd /work && ralph-tui report --session 260215-101500');
  expect(command('gpu:260215-101500', '/home')).toBe('ralph-tui report --session gpu:260215-101500');
});
