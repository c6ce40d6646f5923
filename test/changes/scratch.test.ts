import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changesWorld, faultOf, makeTemplate, personGit, value } from '../helpers/changes.ts';
import { tempDir } from '../helpers/temp-dir.ts';

let template: ReturnType<typeof makeTemplate>;
beforeAll(() => {
  template = makeTemplate();
});
afterAll(() => template.remove());

test('a scratch worktree holds the workspace of the head on no branch, and leaves nothing', async () => {
  const { changes, repo } = changesWorld(template);
  const refs = personGit(repo, 'for-each-ref');
  const scratch = value(await changes.scratch(join(repo, 'src')));
  expect(existsSync(join(scratch.directory, 'c.txt'))).toBe(true);
  expect(personGit(repo, 'worktree', 'list', '--porcelain')).toContain('detached');
  expect(personGit(repo, 'for-each-ref')).toBe(refs);
  value(await scratch.remove());
  expect(existsSync(join(scratch.directory, '..'))).toBe(false);
  expect(personGit(repo, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
});

test('a scratch worktree that a crash left is found and cleared, and its files are not kept', async () => {
  const { changes, repo } = changesWorld(template);
  const { directory } = value(await changes.scratch(repo));
  const found = value(await changes.findOrphans(repo, []));
  expect(found).toMatchObject([{ kind: 'worktree', name: directory }]);
  for (const orphan of found)
    expect(value(await changes.clearOrphan(repo, orphan))).toEqual({ keptIn: null });
  expect(value(await changes.findOrphans(repo, []))).toEqual([]);
});

test('there is no scratch worktree without a commit or a repository', async () => {
  const { changes } = changesWorld(template);
  const path = tempDir();
  expect(faultOf(await changes.scratch(path))).toMatch(/not a git repository/);
  personGit(path, 'init', '-q');
  expect(faultOf(await changes.scratch(path))).toBe('the repository has no commits yet');
});
