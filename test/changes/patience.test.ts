import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listProcesses } from '../../src/base/process/process-table.io.ts';
import { createGit } from '../../src/changes/git/git.io.ts';
import { look, nothingSeen, type Patience, patienceOf, whyTooLong } from '../../src/changes/git/stall.ts';
import { changesWorld, gitEnvironment, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';

const template = templateOfFile();

const short: Patience = { firstMs: 20, everyMs: 20, idleMs: 400, spinMs: 400, totalMs: 60_000 };

const place = () => {
  const { top, repo } = changesWorld(template);
  return { repo, git: (mostBytes?: number) => createGit(gitEnvironment(top), mostBytes, () => short) };
};

const childrenOfMine = (): readonly number[] =>
  listProcesses()
    .filter(({ parent, ended }) => parent === process.pid && !ended)
    .map(({ pid }) => pid);

const untracked = ['ls-files', '--others', '--exclude-standard'];

test('a FIFO with the name of a file that git reads ends the call, and no process stays', async () => {
  const { repo, git } = place();
  const before = childrenOfMine();
  writeFiles(repo, { 'a/new': '' });
  execFileSync('mkfifo', [join(repo, 'a/.gitignore')]);
  expect(await git().run({ args: untracked, cwd: repo })).toMatchObject({
    code: null,
    failure: 'took-too-long',
    error: expect.stringContaining('FIFO'),
  });
  await expect.poll(() => childrenOfMine().filter((pid) => !before.includes(pid))).toEqual([]);
});

test('a pattern that takes for ever ends the call', async () => {
  const { repo, git } = place();
  writeFiles(repo, { '.gitignore': `${'**/a/'.repeat(14)}b\n`, [`${'a/'.repeat(60)}x`]: '' });
  expect(await git().run({ args: untracked, cwd: repo })).toMatchObject({
    failure: 'took-too-long',
    error: expect.stringContaining('computed'),
  });
});

test('a question to a staying git that gets no answer ends that git, and the next question is answered', async () => {
  const { repo, git } = place();
  const staying = git().stay({ args: ['cat-file', '--batch-check'], cwd: repo });
  expect(await staying.ask('', 'never')).toMatchObject({ code: null, failure: 'took-too-long' });
  expect(await staying.ask('HEAD\n', '\n')).toMatchObject({ code: 0 });
  staying.end();
});

test('a git that prints too much is ended, not read to its end', async () => {
  const { repo, git } = place();
  writeFileSync(join(repo, 'large'), Buffer.alloc(4 * 1024 * 1024));
  const id = execFileSync('git', ['hash-object', '-w', 'large'], { cwd: repo, encoding: 'utf8' }).trim();
  expect(await git(1024).run({ args: ['cat-file', 'blob', id], cwd: repo })).toMatchObject({
    code: null,
    failure: 'answer-too-long',
  });
});

test('a call that makes progress, or waits for a disk, has time', () => {
  const patience = patienceOf({});
  const after = (looks: number, ofLook: (at: number) => Parameters<typeof look>[1]) => {
    let seen = nothingSeen;
    for (let at = 0; at < looks; at += 1) seen = look(seen, ofLook(at), 1_000);
    return whyTooLong(seen, patience);
  };
  const still = { ticks: 5, bytes: 5, waits: true, atFifo: false };
  expect(after(600, (at) => ({ ...still, bytes: at }))).toBeNull();
  expect(after(100, () => ({ ...still, waits: false }))).toBeNull();
  expect(after(100, (at) => ({ ...still, ticks: at }))).toBeNull();
  expect(after(12, () => still)).toContain('did nothing for 10 s');
  expect(after(130, (at) => ({ ...still, ticks: at }))).toContain('computed for 2 minutes');
  expect(after(1_800, (at) => ({ ...still, bytes: at }))).toContain('longer than 30 minutes');
});

test('a call to another machine may wait for minutes', () => {
  expect(patienceOf({ far: true }).idleMs).toBeGreaterThan(60_000);
});
