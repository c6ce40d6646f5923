import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findMarked, listProcesses } from '../../src/base/process/process-table.io.ts';
import { createGit } from '../../src/changes/git/git.io.ts';
import { changesWorld, gitEnvironment, personGit, value, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';

const template = templateOfFile();

const started = () => {
  const { top, repo } = changesWorld(template);
  const git = createGit(gitEnvironment(top));
  const refs = git.stay({ args: ['update-ref', '-z', '--stdin'], cwd: repo, marker: `test:${top}` });
  const write = (ref: string, to: string) =>
    refs.ask(`start\0update ${ref}\0${to}\0\0commit\0`, 'commit: ok\n');
  return { repo, git, top, refs, write, head: personGit(repo, 'rev-parse', 'HEAD').trim() };
};

/** The processes that carry the marker of a staying git. */
const pidsOf = (top: string): readonly number[] => {
  const running = listProcesses().filter(({ ended }) => !ended);
  const pids = running.map(({ pid }) => pid);
  return [...findMarked([`test:${top} stays`], pids)];
};

test('one process answers many questions, and another one those that come after its end', async () => {
  const { top, repo, refs, write, head } = started();
  const answers = await Promise.all(['refs/x/1', 'refs/x/2', 'refs/x/3'].map((ref) => write(ref, head)));
  expect(answers.map(({ code }) => code)).toEqual([0, 0, 0]);
  const first = pidsOf(top);
  expect(first).toHaveLength(1);
  process.kill(first[0] ?? 0, 'SIGKILL');
  expect(await write('refs/x/4', head)).toMatchObject({ code: 0 });
  refs.end();
  expect(await write('refs/x/5', head)).toMatchObject({ code: 0 });
  refs.end();
  expect(personGit(repo, 'for-each-ref', '--format=%(refname)', 'refs/x').trim().split('\n')).toHaveLength(5);
});

test('a question that git refuses is answered with its sentence, and the next one is asked all the same', async () => {
  const { refs, write, head } = started();
  const refused = await write('refs/x/1', 'f'.repeat(40));
  expect(refused).toMatchObject({ code: 128, error: expect.stringContaining('nonexistent object') });
  expect(await write('refs/x/2', head)).toMatchObject({ code: 0 });
  refs.end();
});

test('a session does not wait for processes of its own program that only wait for questions', async () => {
  const { top, git, refs, write, head } = started();
  await write('refs/x/1', head);
  expect(pidsOf(top)).toHaveLength(1);
  expect(await git.settled(`test:${top}`)).toEqual([]);
  refs.end();
});

test('what somebody else writes into the refs of an open session does not count: another commit, packed, removed', async () => {
  const world = changesWorld(template);
  const session = await world.open({ isolation: 'shared' });
  const attempt = { task: 't', attempt: 1 };
  const before = value(await session.snapshot(attempt, 'before')).commit;
  personGit(world.repo, 'pack-refs', '--all', '--prune');
  const parentAfter = async (text: string): Promise<string> => {
    writeFiles(world.repo, { 'new.txt': text });
    const { commit } = value(await session.snapshot(attempt, 'after'));
    return personGit(world.repo, 'rev-parse', `${commit}^`).trim();
  };
  expect(await parentAfter('new\n')).toBe(before);
  const other = personGit(world.repo, 'commit-tree', '-m', 'other', 'HEAD^{tree}').trim();
  personGit(world.repo, 'update-ref', 'refs/ralph/261122-101500/t/1/before', other);
  expect(await parentAfter('newer\n')).toBe(before);
  personGit(world.repo, 'update-ref', '-d', 'refs/ralph/261122-101500/t/1/before');
  expect(await parentAfter('newest\n')).toBe(before);
});

test('a comparison of trees that are gone is refused by git, not empty', async () => {
  const world = changesWorld(template);
  const session = await world.open({ isolation: 'shared' });
  const attempt = { task: 't', attempt: 1 };
  const from = value(await session.snapshot(attempt, 'before')).commit;
  writeFiles(world.repo, { 'new.txt': 'new\n' });
  const to = value(await session.snapshot(attempt, 'after')).commit;
  const range = { from, to };
  expect(value(await session.changedFiles(range)).map(({ path }) => path)).toEqual(['new.txt']);
  const tree = personGit(world.repo, 'rev-parse', `${to}^{tree}`).trim();
  writeFiles(join(world.repo, '.git/objects'), { [`${tree.slice(0, 2)}/${tree.slice(2)}`]: null });
  expect(await session.changedFiles(range)).toMatchObject({ ok: false, fault: { code: 'git-failed' } });
});
