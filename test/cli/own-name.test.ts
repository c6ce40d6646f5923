import { expect, test } from 'vitest';
import { namesCommand, ownNameHint } from '../../src/cli/own-name.ts';

const standing = {
  cwd: '/here',
  path: '/usr/bin:/bin',
  node: '/opt/my node',
  script: "/it's/dist/ralph-tui.js",
};

test('the alias quotes paths with blanks and quotes for a shell', () => {
  expect(ownNameHint({ ...standing, isThere: () => false })).toBe(
    `\`ralph-tui\` is not on your PATH. To define it in this shell:  alias 'ralph-tui='\\''/opt/my node'\\'' '\\''/it'\\''\\'\\'''\\''s/dist/ralph-tui.js'\\'''`,
  );
  expect(ownNameHint({ ...standing, isThere: (file) => file === '/bin/ralph-tui' })).toBeNull();
});

test('an error of the program names no command of it, and a hint does', () => {
  expect(namesCommand('ralph-tui: no session in /here')).toBe(false);
  expect(namesCommand('start one with `ralph-tui run`')).toBe(true);
});
