import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { summary } from '../../src/cli/report/summary.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { changesWorld, personGit, writeFiles } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createRealSession } from '../helpers/real-session.ts';

const template = templateOfFile();

/** Runs one task in a worktree of a repository that ignores `out/`, `*.log` and `.env`, which it copies. */
const run = async (task: string) => {
  const world = changesWorld(template);
  writeFiles(world.repo, { '.gitignore': 'out/\n*.log\n.env\n' });
  personGit(world.repo, 'add', '.');
  personGit(world.repo, 'commit', '-qm', 'ignore');
  writeFiles(world.repo, { '.env': 'mine\n' });
  const session = createRealSession(
    world.repo,
    `goal: A tool\ntasks:\n  - {id: tool, title: Tool, ${task}}\n`,
    {
      changes: world.changes,
      settings: {
        isolation: 'worktree',
        changes: { at_end: 'keep' },
        worktree: { ...defaultSettings.worktree, copy: ['.env'] },
        knowledge: { ...defaultSettings.knowledge, gate: 'never' },
      },
      isAgreed: () => true,
    },
  );
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  const end = await engine.settled();
  expect(end).toMatchObject({ exitCode: 0 });
  const [{ directory } = { directory: '' }] = session.all('worktree.prepared');
  return {
    directory,
    summary: summary({ paths: session.paths, flags: {} }, end, engine.state(), null),
  };
};

test.each([
  ['a file', "files: [report.log, a.txt], run: ['echo r > report.log; echo a > a.txt']", 'report.log', 'r\n'],
  ['a file in a directory', "files: [out/], run: ['mkdir out; echo r > out/r']", 'out/r', 'r\n'],
  [
    'a file that was copied and then changed',
    "files: [.env], run: ['echo theirs > .env']",
    '.env',
    'theirs\n',
  ],
] as const)(
  'a result that git ignores is kept with its worktree, and told: %s',
  async (_, task, file, text) => {
    const { directory, summary: told } = await run(task);
    expect(readFileSync(join(directory, file), 'utf8')).toBe(text);
    const named = file === 'out/r' ? 'out' : file;
    expect(told).toContain(
      `  kept     ${directory} is kept: it contains ${named}, which git ignores; copy what you need out of the worktree`,
    );
  },
);

test.each([
  ['what is declared was merged', "files: [a.txt], run: ['echo a > a.txt; mkdir out; echo r > out/r']"],
  ['it is a copy of the file in the workspace', "files: [.env, a.txt], run: ['echo a > a.txt']"],
] as const)('no worktree is kept where %s', async (_, task) => {
  const { directory, summary: told } = await run(task);
  expect(told).not.toContain('is kept');
  expect(existsSync(directory)).toBe(false);
});
