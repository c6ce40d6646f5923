import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanEnvironment, programFile, runProgram } from '../helpers/program.ts';
import { git, repositoryWith } from '../helpers/repository.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { isLongForm } from '../helpers/test-form.ts';

/** What a diff in text loses, by file: the bytes before and after. */
const files: Readonly<Record<string, readonly [string, string]>> = {
  'last-blank.txt': ['a\nb\nc\nd\n\n', 'a\nB\nc\nd\n\n'],
  'windows.txt': ['a\nb\n', 'a\r\nb\r\n'],
  'returns.txt': ['a\rb\nc\n', 'a\rB\nc\n'],
  'escapes.txt': ['\x1b[31mred\nc\n', '\x1b[2J\x1b]0;title\x07\nc\n'],
  'bidi.txt': ['plain\n', 'a\u202eb\u2066c\u200b\ufeff\n'],
  'latin1.txt': ['caf\xe9\nx\n', 'caf\xe9\ny \xff\n'],
  'bom.txt': ['\xef\xbb\xbfone\n', '\xef\xbb\xbftwo\n'],
  'no-end.txt': ['a\nb', 'a\nc'],
  'separators.txt': ['a\u2028b\x0b\x0c\x85\n', 'b\u2028b\x0b\x0c\x85\n'],
  'binary.bin': ['\0\x01\xff', '\0\x02\xfe\0'],
};

const bytes = (name: string, text: string): Buffer =>
  Buffer.from(text, /latin1|bom|binary/.test(name) ? 'latin1' : 'utf8');

const names = Object.keys(files);

/** A session whose only task puts all these bytes into the files. */
const changed = async (isolation: string): Promise<string> => {
  const source = tempDir();
  const plan = `goal: Bytes
settings: {isolation: ${isolation}, changes: {at_end: keep}}
tasks: [{id: bytes, title: Bytes, files: [${names.join(', ')}], run: ['cp ${source}/* .']}]
`;
  const workspace = repositoryWith({ 'plan.yaml': plan });
  for (const name of names) {
    writeFileSync(join(workspace, name), bytes(name, files[name]?.[0] ?? ''));
    writeFileSync(join(source, name), bytes(name, files[name]?.[1] ?? ''));
  }
  git(workspace, 'add', '.');
  git(workspace, 'commit', '-qm', 'bytes');
  expect(await runProgram(['run', '--plan', 'plan.yaml'], { cwd: workspace })).toMatchObject({ code: 0 });
  return workspace;
};

test.each(isLongForm ? ['shared', 'worktree'] : ['worktree'])(
  'what `diff` writes into a file gives git the very bytes, from snapshots of %s attempts',
  async (isolation) => {
    const workspace = await changed(isolation);
    const patch = execFileSync(process.execPath, [programFile, 'diff'], {
      cwd: workspace,
      env: cleanEnvironment({}),
    });
    const copy = tempDir();
    git(workspace, 'worktree', 'add', '-q', '--detach', join(copy, 'w'), 'main');
    writeFileSync(join(copy, 'x.patch'), patch);
    git(join(copy, 'w'), 'apply', '--whitespace=nowarn', join(copy, 'x.patch'));
    for (const name of names)
      expect(readFileSync(join(copy, 'w', name)).toString('latin1'), name).toBe(
        bytes(name, files[name]?.[1] ?? '').toString('latin1'),
      );
  },
);
