import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listProjectFiles } from '../../src/cli/host/list-project-files.ts';
import { readChanges } from '../../src/cli/session/read-changes.ts';
import { git, repositoryWith } from '../helpers/repository.ts';

/** The changes of the whole session. */
const everything = { task: null, attempt: null };

test('looking at changes runs no file system monitor and no diff program of the repository', async () => {
  const workspace = repositoryWith({ 'a.txt': 'one\n', '.gitattributes': '*.txt diff=words\n' });
  const ran = join(workspace, '.git/ran');
  for (const key of ['core.fsmonitor', 'diff.external', 'diff.words.textconv', 'diff.words.command'])
    git(workspace, 'config', key, `touch ${ran}`);
  writeFileSync(join(workspace, 'a.txt'), 'two\n');
  const changes = await readChanges(workspace, {
    files: ['a.txt'],
    seen: [],
    commit: null,
    of: everything,
    iteration: 1,
  });
  expect(changes).toMatchObject({ files: [{ path: 'a.txt', added: 1, removed: 1 }], missing: null });
  expect(await listProjectFiles(workspace)).toEqual(['.gitattributes', 'a.txt']);
  expect(existsSync(ran)).toBe(false);
});

test('more files than git can be asked about at once are a sentence', async () => {
  const workspace = repositoryWith({ 'a.txt': 'one\n' });
  const files = Array.from({ length: 20_000 }, (_, index) => `${'long/'.repeat(40)}${index}.txt`);
  const changes = await readChanges(workspace, {
    files,
    seen: [],
    commit: null,
    of: everything,
    iteration: 1,
  });
  expect(changes.missing).toBe(
    'No differences: there are too many files for one git command; ask for one task.',
  );
});

test('a pattern among the files stands for the changed and new files that it matches, and for no other', async () => {
  const workspace = repositoryWith({ 'src/a.ts': 'one\n', 'src/b.md': 'one\n' });
  for (const file of ['src/a.ts', 'src/b.md', 'src/new.ts', 'src/new.md'])
    writeFileSync(join(workspace, file), 'two\n');
  const asked = { seen: [], commit: null, of: everything, iteration: 1 };
  const changes = await readChanges(workspace, { ...asked, files: ['src/*.ts'] });
  expect(changes.files.map(({ path }) => path)).toEqual(['src/a.ts', 'src/new.ts']);
  expect(await readChanges(workspace, { ...asked, files: ['lib/*.ts'] })).toMatchObject({
    files: [],
    diff: '',
  });
});
