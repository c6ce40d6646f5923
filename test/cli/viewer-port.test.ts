import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LogMatches, ViewerPort } from '../../components/ports/viewer-port.ts';
import { createViewerPort } from '../../src/cli/session/viewer-port.ts';
import { createWorld } from '../../src/cli/world.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const opened = (files: Readonly<Record<string, string>> = {}) => {
  const workspace = workspaceWith(files);
  const paths = sessionPaths(workspace, '260215-101500');
  mkdirSync(paths.logs, { recursive: true });
  return { workspace, log: paths.log('t', 1), viewer: createViewerPort(createWorld(), paths, {}) };
};
const whole = { of: { task: null, attempt: null }, iteration: 1 };
const ref = { subject: 't', attempt: 1 };
const found = (viewer: ViewerPort, text: string): Promise<LogMatches> =>
  new Promise((resolve) => {
    viewer.searchLog(ref, text, (matches) => matches.done && resolve(matches));
  });

test('a log is read a window at a time, whole lines, from any place', async () => {
  const { log, viewer } = opened();
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${String(index).padStart(5, '0')}`);
  writeFileSync(log, `${lines.join('\n')}\n`);
  const end = await viewer.readLog(ref, 'end');
  expect(end?.lines.at(-1)?.text).toBe('line 19999');
  expect(end?.to).toBe(end?.size);
  const middle = await viewer.readLog(ref, 11 * 10_000);
  expect(middle?.lines.find((line) => line.at === 110_000)?.text).toBe('line 10000');
  expect(middle?.lines[0]?.text).toMatch(/^line \d{5}$/);
  expect((middle?.to ?? 0) - (middle?.from ?? 0)).toBeLessThan(70_000);
  expect(await viewer.readLog({ subject: 'nobody', attempt: 1 }, 'end')).toBeNull();
});

test('one line of many megabytes comes in pieces', async () => {
  const { log, viewer } = opened();
  writeFileSync(log, 'x'.repeat(5_000_000));
  const page = await viewer.readLog(ref, 2_500_000);
  expect(page?.lines.every((line) => line.text.length <= 4_000)).toBe(true);
});

test('the search goes through the whole file whatever the case, one place a line', async () => {
  const { log, viewer } = opened();
  writeFileSync(log, 'grüße\n');
  for (let part = 0; part < 30; part += 1)
    appendFileSync(log, `${'a lot of hay\n'.repeat(8_000)}Needle, needle\n`);
  const needles = await found(viewer, 'NEEDLE');
  expect(needles.at).toHaveLength(30);
  const page = await viewer.readLog(ref, needles.at[17] ?? 0);
  expect(page?.lines.find((line) => line.at === needles.at[17])?.text).toBe('Needle, needle');
  expect((await found(viewer, 'grüße')).at).toEqual([0]);
  expect(await found(viewer, 'nowhere')).toEqual({ at: [], done: true, more: false });
  expect((await found(viewer, 'hay')).more).toBe(true);
});

test('a search that was stopped tells nothing more', async () => {
  const { log, viewer } = opened();
  const file = openSync(log, 'w');
  for (let part = 0; part < 40; part += 1) writeSync(file, 'hay\n'.repeat(250_000));
  let told = 0;
  const stop = viewer.searchLog(ref, 'needle', () => {
    told += 1;
  });
  stop();
  await found(viewer, 'other');
  expect(told).toBe(0);
});

test('differences are those of git, new files included; without a repository it is said', async () => {
  const { workspace, viewer } = opened({ 'old.txt': 'one\n' });
  const bare = await viewer.readChanges({ files: ['old.txt'], seen: ['old.txt'], commit: null, ...whole });
  expect(bare.missing).toBe('No differences: this is not a git repository.');
  expect(bare.files).toEqual([{ path: 'old.txt', added: null, removed: null }]);
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: workspace });
  git('init', '-q');
  git('add', 'old.txt');
  git('commit', '-qm', 'one');
  writeFileSync(join(workspace, 'old.txt'), 'two\n');
  writeFileSync(join(workspace, 'new.txt'), 'a\nb\n');
  const changes = await viewer.readChanges({
    files: ['old.txt', 'new.txt', 'none.txt', 'ignored.txt'],
    seen: ['ignored.txt'],
    commit: null,
    ...whole,
  });
  expect(changes.missing).toBeNull();
  expect(changes.files).toEqual([
    { path: 'old.txt', added: 1, removed: 1 },
    { path: 'new.txt', added: 2, removed: 0 },
    { path: 'ignored.txt', added: null, removed: null },
  ]);
  expect(changes.diff).toContain('+two');
  expect(changes.diff).toContain('+++ b/new.txt');
});

test('names of files are names to git, whatever they hold, and counted from the workspace where that is part of a repository', async () => {
  const names = [':!canary', '*.txt', '-rf', 'a "b"', 'zwei\nlines', 'ü.txt'];
  const { workspace, viewer } = opened(
    Object.fromEntries(['other.txt', ...names].map((name) => [`sub/${name}`, '1\n'])),
  );
  const sub = join(workspace, 'sub');
  const inside = createViewerPort(createWorld(), sessionPaths(sub, '260215-101500'), {});
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', workspace, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      encoding: 'utf8',
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'one');
  for (const name of ['other.txt', ...names]) writeFileSync(join(sub, name), '1\n2\n');
  const readIn = async (where: ViewerPort, files: readonly string[], commit: string | null) =>
    new Map(
      (await where.readChanges({ files, seen: [], commit, ...whole })).files.map(({ path, ...counts }) => [
        path,
        counts,
      ]),
    );
  const all = (prefix: string) =>
    new Map(names.map((name) => [`${prefix}${name}`, { added: 1, removed: 0 }]));
  expect(await readIn(inside, names, null)).toEqual(all(''));
  git('commit', '-qam', 'two');
  const commit = git('rev-parse', 'HEAD').trim();
  expect(await readIn(inside, names, commit)).toEqual(all(''));
  const above = names.map((name) => `sub/${name}`);
  expect(await readIn(viewer, above, commit)).toEqual(all('sub/'));
});
