import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { findingsOf } from '../../src/cli/runners/check-runner.ts';
import { version } from '../../src/cli/version.ts';
import { describeMachine } from '../../src/runners/serve/describe.io.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { writeIn } from '../helpers/workspace.ts';

const described = {
  program: `ralph-tui ${version}`,
  node: 'v24.0.0',
  git: '2.39.5',
  cores: 2,
  freeBytes: 1e12,
  now: 0,
  agents: ['gemini', 'codex-acp'],
  versions: { gemini: '0.61.0' },
  clockDifferenceMs: 0,
  roundTripMs: 3,
};

const program = (command: readonly string[] | null) =>
  findingsOf({ name: 'gpu', command }, { ...described, program: 'ralph-tui 0.0.9' }).find(({ check }) =>
    check.endsWith(': program'),
  );

test('a runner with another version of the program is named, with the command that brings this one there', () => {
  expect(program(null)).toEqual({
    check: 'runner gpu: program',
    ok: false,
    found: 'ralph-tui 0.0.9',
    problem: `this is ralph-tui ${version}`,
    hint: '`ralph-tui runners install gpu` installs this version',
  });
  expect(program(['mine'])?.hint).toMatch(/^runners\.gpu\.command names the remote program: correct it/u);
  expect(findingsOf({ name: 'gpu', command: null }, described).every(({ ok }) => ok)).toBe(true);
});

test('a runner says the versions of its agents, where a package has one', async () => {
  const directory = tempDir();
  writeIn(directory, 'lib/node_modules/gemini/package.json', '{"version": "0.61.0"}');
  writeIn(directory, 'lib/node_modules/gemini/bin.js', '#!/usr/bin/env node\n');
  writeIn(directory, 'bin/alone', '#!/bin/sh\n');
  mkdirSync(join(directory, 'bin'), { recursive: true });
  symlinkSync('../lib/node_modules/gemini/bin.js', join(directory, 'bin/gemini'));
  for (const file of ['lib/node_modules/gemini/bin.js', 'bin/alone']) chmodSync(join(directory, file), 0o755);
  const there = await describeMachine(
    { disk: createDisk(), env: { PATH: join(directory, 'bin') }, program: 'there', directory: tempDir() },
    ['gemini', 'alone', 'absent'],
  );
  expect(there).toMatchObject({ agents: ['gemini', 'alone'], versions: { gemini: '0.61.0' } });
  const found = findingsOf({ name: 'gpu', command: null }, { ...described, ...there });
  expect(found).toContainEqual(
    expect.objectContaining({ check: 'runner gpu: agents', found: 'gemini 0.61.0, alone' }),
  );
});

test('a sandbox that cannot keep the commands of verify apart is told before a task fails there', () => {
  const found = findingsOf(
    { name: 'jail', command: null },
    { ...described, noVerify: 'bwrap: No permissions' },
  );
  expect(found.filter(({ ok }) => !ok)).toEqual([
    {
      check: 'runner jail: verify',
      ok: false,
      found: 'fails',
      problem:
        '`verify` fails in this sandbox, because it can keep no command apart from the others (bwrap: No permissions)',
      hint: 'name another place in `on.verify`, or let this machine nest user namespaces',
    },
  ]);
});
