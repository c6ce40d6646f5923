import { expect, test } from 'vitest';
import { editorArguments } from '../../src/cli/terminal/editor-arguments.ts';

test.each([
  ['vi', ['+12', '/w/a.ts']],
  ['/usr/bin/nvim -p', ['+12', '/w/a.ts']],
  ['emacsclient -t', ['+12', '/w/a.ts']],
  ['code --wait', ['--goto', '/w/a.ts:12']],
  ['hx', ['/w/a.ts:12']],
  // `+12` would be a file to an editor that nobody knows.
  ['sh editor.sh', ['/w/a.ts']],
  ['', ['/w/a.ts']],
])('`%s` opens a file at a line where it can', (editor, args) => {
  expect(editorArguments(editor, '/w/a.ts', 12)).toEqual(args);
});
