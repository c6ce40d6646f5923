import { expect, test } from 'vitest';
import { namesCommand, ownNameHint } from '../../src/cli/own-name.ts';

const standing = {
  cwd: '/here',
  path: '/usr/bin:/bin',
  node: '/opt/my node',
  script: "/it's/dist/ralph-tui.js",
  packageOf: () => '@ralph-sessions/tui',
};

test('the alias quotes paths with blanks and quotes for a shell', () => {
  expect(ownNameHint({ ...standing, isThere: () => false })).toBe(
    `\`ralph-tui\` is not on your PATH. To define it in this shell:  alias 'ralph-tui='\\''/opt/my node'\\'' '\\''/it'\\''\\'\\'''\\''s/dist/ralph-tui.js'\\'''`,
  );
  expect(ownNameHint({ ...standing, isThere: (file) => file === '/bin/ralph-tui' })).toBeNull();
});

test('another program of this name is told, with the second name of ours where the PATH has it', () => {
  const among = (...files: readonly string[]) => ({
    ...standing,
    isThere: (file: string) => files.includes(file),
    packageOf: (file: string) => (file === '/bin/ralph-tui' ? 'ralph-tui' : '@ralph-sessions/tui'),
  });
  const other = '`ralph-tui` on your PATH is the program of another package, ralph-tui. ';
  expect(ownNameHint(among('/bin/ralph-tui', '/bin/ralph-sessions'))).toBe(
    `${other}Type \`ralph-sessions\` where \`ralph-tui\` is printed.`,
  );
  expect(ownNameHint(among('/bin/ralph-tui'))).toContain(`${other}To define ours in this shell:  alias`);
  expect(ownNameHint(among('/usr/bin/ralph-tui', '/bin/ralph-tui'))).toBeNull();
  // A wrapper script belongs to no package that can be known.
  expect(ownNameHint({ ...among('/bin/ralph-tui'), packageOf: () => null })).toBeNull();
});

test('an error of the program names no command of it, and a hint does', () => {
  expect(namesCommand('ralph-tui: no session in /here')).toBe(false);
  expect(namesCommand('start one with `ralph-tui run`')).toBe(true);
});
