import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyText } from '../../src/cli/terminal/copy-text.ts';
import { callSequence, titleSequence } from '../../src/cli/terminal/create-terminal-port.ts';
import { editText } from '../../src/cli/terminal/edit-text.ts';
import { recallWritten, rememberWritten } from '../../src/cli/terminal/written-file.ts';
import { createWorld } from '../../src/cli/world.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const program = (directory: string, name: string, script: string): void => {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
};

const deskIn = (more: Readonly<Record<string, string>> = {}) => {
  const home = tempDir();
  const bin = join(home, 'bin');
  mkdirSync(bin);
  let written = '';
  const write = (text: string): boolean => {
    written += text;
    return true;
  };
  const stdout = { write } as unknown as NodeJS.WriteStream;
  const env = { PATH: `${bin}:/usr/bin:/bin`, XDG_STATE_HOME: home, ...more };
  return { home, bin, cli: { env, stdout }, written: () => written };
};

test('drafts come back to their session only, messages to all of them', () => {
  const { cli } = deskIn();
  const world = createWorld();
  rememberWritten(cli.env, world, 'one', { drafts: { 'STEER:': 'half' }, history: ['first'] });
  rememberWritten(cli.env, world, 'two', { drafts: {}, history: ['second'] });
  expect(recallWritten(cli.env, world, 'one')).toEqual({
    drafts: { 'STEER:': 'half' },
    history: ['first', 'second'],
  });
  expect(recallWritten(cli.env, world, 'two').drafts).toEqual({});
});

test('what was written is private, and a broken file is no reason to lose a screen', () => {
  const { cli, home } = deskIn();
  const world = createWorld();
  const file = join(home, 'ralph-tui', 'written.json');
  rememberWritten(cli.env, world, 'one', { drafts: {}, history: ['x'] });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(file, '{ broken');
  expect(recallWritten(cli.env, world, 'one')).toEqual({ drafts: {}, history: [] });
});

test('copying takes the local tool', async () => {
  const { cli, bin, home } = deskIn({ WAYLAND_DISPLAY: 'wayland-0' });
  program(bin, 'wl-copy', `cat > ${home}/clip`);
  expect(await copyText(cli, createWorld(), 'wörld', 'linux')).toBe('copied 5 characters (wl-copy)');
  expect(readFileSync(join(home, 'clip'), 'utf8')).toBe('wörld');
});

test('inside tmux, and where the local tool fails, tmux takes it', async () => {
  const { cli, bin, home } = deskIn({ DISPLAY: ':0', TMUX: '/tmp/t,1,0' });
  program(bin, 'xclip', 'exit 1');
  program(bin, 'tmux', `echo "$@" > ${home}/args; cat > ${home}/clip`);
  expect(await copyText(cli, createWorld(), 'text', 'linux')).toBe('copied 4 characters (tmux)');
  expect(readFileSync(join(home, 'args'), 'utf8')).toBe('load-buffer -w -\n');
});

test('without any tool the terminal is sent the text, and a private file holds it too', async () => {
  const { cli, home, written } = deskIn();
  const file = join(home, 'ralph-tui', 'copied.txt');
  expect(await copyText(cli, createWorld(), 'text', 'linux')).toBe(`sent to your terminal; also in ${file}`);
  expect(written()).toBe(`\u001b]52;c;${Buffer.from('text').toString('base64')}\u0007`);
  expect(readFileSync(file, 'utf8')).toBe('text');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('an editor gives the text back; one that fails says so and changes nothing', async () => {
  const { cli, bin } = deskIn({ EDITOR: 'changer --wait' });
  program(bin, 'changer', 'test "$1" = --wait && printf "more\\n" >> "$2"');
  expect(await editText(cli, createWorld(), 'text')).toBe('text\nmore');
  program(bin, 'changer', 'exit 3');
  await expect(editText(cli, createWorld(), 'text')).rejects.toThrow('changer --wait exited with code 3');
});

test('nothing from outside ends a title or a notification early', () => {
  expect(titleSequence('a\u0007b\u001b]0;c')).toBe(
    `\u001b]2;${titleSequence('a\u0007b\u001b]0;c').slice(4, -1)}\u0007`,
  );
  expect(titleSequence('a\u0007b\u001b[2Jc').slice(4, -1)).not.toMatch(/[\u0000-\u001f]/);
  expect(callSequence('a;b\u0007', 'osc')).toBe('\u001b]9;a,b\u0007\u001b]777;notify;ralph-tui;a,b\u0007');
  expect(callSequence('x', 'bell')).toBe('\u0007');
  expect(callSequence('x', 'none')).toBe('');
});
