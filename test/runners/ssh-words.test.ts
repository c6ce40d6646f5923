import { expect, test } from 'vitest';
import { sshFault } from '../../src/runners/carriers/ssh.ts';

const fault = (code: number, said: string) =>
  sshFault({ name: 'box', alias: 'box', command: null }, { kind: 'exited', code }, said);

test.each([
  [
    142,
    'Please login as the user "ubuntu" rather than the user "root".',
    'the machine wants another user: Please login as the user "ubuntu" rather than the user "root"',
    'write `User ubuntu` below "Host box" in ~/.ssh/config',
  ],
  [
    127,
    'sh: 1: exec: node: not found',
    'node was not found there: sh: 1: exec: node: not found',
    'install Node 22.12 or newer there, on the PATH that a shell without a terminal has',
  ],
  [
    1,
    'ralph-tui needs Node 22.12 or newer, but this is Node 20.19.0.',
    'Node is too old there: ralph-tui needs Node 22.12 or newer, but this is Node 20.19.0',
    'install Node 22.12 or newer there',
  ],
  [
    9,
    'This account is currently not available.',
    'the program there exited with code 9: This account is currently not available',
    '`ssh box` shows what that machine says',
  ],
])('a machine that ends with %i and "%s" is quoted, with what to do', (code, said, what, hint) => {
  expect(fault(code, said)).toMatchObject({ what, hint, where: 'runner box' });
});
