import { expect, test } from 'vitest';
import { createPlaces } from '../../src/agents/places.ts';
import { createSimulatedDisk } from '../helpers/simulated-disk.ts';

const disk = createSimulatedDisk();
for (const directory of ['/work/src', '/work/.git/hooks', '/work/conf', '/home/kim/.ssh', '/linked'])
  disk.mkdir(directory);
disk.putSymlink('/work/out', '/home/kim');
disk.putSymlink('/work/new', '/home/kim/not-there');
disk.putSymlink('/work/hook', '.git/hooks/pre-commit');
disk.putSymlink('/work/.claude', 'conf');
disk.putSymlink('/way', '/work');
const places = createPlaces(disk, '/work', ['odd.rules']);

test.each([
  'src/a.ts',
  '/work/src/a.ts',
  'new-directory/a.ts',
  '.github/workflows/ci.yml',
  '.gitignore',
  'src/../src/a.ts',
  '/way/src/a.ts',
])('%s is inside, and may be changed', (path) => {
  expect(places.judge(path, true)).toMatchObject({ inside: true, why: null });
});

test('the directory itself may be read, and neither changed nor deleted', () => {
  expect(places.judge('.', false).inside).toBe(true);
  expect(places.judge('src/..', true)).toMatchObject({ inside: false, why: 'this is the workspace itself' });
});

test.each([
  ['../x', '../x is outside the workspace'],
  ['/workshop/x', '/workshop/x is outside the workspace'],
  ['out/.ssh/id', 'out/.ssh/id is a link that leads outside, to /home/kim/.ssh/id'],
  ['new', 'new is a link that leads outside, to /home/kim/not-there'],
  ['src/../out/a', 'out/a is a link that leads outside, to /home/kim/a'],
  ['~/.ssh/id', '~/.ssh/id is not below the workspace'],
  ['$HOME/.ssh/id', '$HOME/.ssh/id is not below the workspace'],
  ['file:///etc/passwd', 'file:///etc/passwd is an address, not a file'],
  ['a\0b', 'the target of a\0b cannot be resolved'],
  ['.git/hooks/pre-commit', '.git/hooks/pre-commit belongs to git, which runs its contents'],
  ['.GIT/config', '.GIT/config belongs to git, which runs its contents'],
  ['.git', '.git belongs to git, which runs its contents'],
  ['vendor/lib/.git/config', 'vendor/lib/.git/config belongs to git, which runs its contents'],
  ['hook', '.git/hooks/pre-commit belongs to git, which runs its contents'],
  ['.ralph/config.yaml', '.ralph/config.yaml is ralph-tui configuration'],
  [
    '.ralph-sessions/260215-101500/signals/inputs/x.yaml',
    '.ralph-sessions/260215-101500/signals/inputs/x.yaml belongs to a session',
  ],
  ['AGENTS.md', 'agents load AGENTS.md automatically'],
  ['packages/a/CLAUDE.md', 'agents load packages/a/CLAUDE.md automatically'],
  ['.claude/settings.json', 'agents load .claude/settings.json automatically'],
  ['conf/settings.json', 'agents load it automatically, as .claude'],
  ['.github', 'agents load .github/copilot-instructions.md automatically'],
  ['odd.rules', 'agents load odd.rules automatically'],
])('%s is inside for nobody', (path, why) => {
  expect(places.judge(path, true)).toMatchObject({ inside: false, why });
});

test('a place in a worktree has the name that it has in every other worktree', () => {
  const { judge } = createPlaces(disk, '/linked');
  expect(judge('/linked/src/a.ts', true)).toMatchObject({ name: 'src/a.ts', inside: true });
  expect(judge('/work/src/a.ts', true).inside).toBe(false);
});
