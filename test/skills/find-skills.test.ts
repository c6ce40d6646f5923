import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { createDisk } from '../../src/base/disk.io.ts';
import { skillOfPhase } from '../../src/issues/task-list/directive.ts';
import { taskPhaseSchema } from '../../src/issues/task-list/task-phase.ts';
import { findSkill, findSkills } from '../../src/skills/find-skills.ts';
import { readSkill } from '../../src/skills/read-skill.ts';
import { shippedSkills } from '../../src/skills/shipped-skills.io.ts';
import { skillFile, writeFiles } from '../helpers/skill-folder.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const disk = createDisk();

const createPlaces = () => {
  const root = tempDir();
  const places = { workspace: join(root, 'work'), home: join(root, 'home'), ours: shippedSkills() };
  for (const folder of [places.workspace, places.home]) mkdirSync(folder);
  return places;
};
const shown = (places: ReturnType<typeof createPlaces>, name: string) => {
  const found = findSkills(disk, places).filter((each) => each.name === name);
  return found.map(({ shown: source, shadows, problems }) => ({
    source,
    shadows,
    problems: problems.map(({ what }) => what),
  }));
};

test('the repository is looked through first, then the home, then ours, and each names what it stands before', () => {
  const places = createPlaces();
  writeFiles(places.home, { '.agents/skills/notes/SKILL.md': skillFile('notes') });
  expect(shown(places, 'notes')).toEqual([{ source: '~/.agents/skills/notes', shadows: [], problems: [] }]);
  writeFiles(places.workspace, {
    '.claude/skills/notes/SKILL.md': skillFile('notes'),
    '.ralph/skills/notes/SKILL.md': skillFile('notes', 'license: MIT\n'),
  });
  expect(shown(places, 'notes')).toEqual([
    {
      source: '.ralph/skills/notes',
      shadows: ['.claude/skills/notes', '~/.agents/skills/notes'],
      problems: [],
    },
  ]);
  expect(findSkill(disk, places, 'notes')?.origin).toBe('repository');
  expect(findSkill(disk, places, 'notes', ({ origin }) => origin === 'repository')?.shown).toBe(
    '~/.agents/skills/notes',
  );
});

test('a phase of ours is replaced from .ralph/skills only: a review of another program means something else', () => {
  const places = createPlaces();
  writeFiles(places.workspace, { '.claude/skills/review/SKILL.md': skillFile('review') });
  expect(findSkill(disk, places, 'review')?.origin).toBe('ours');
  writeFiles(places.workspace, { '.ralph/skills/review/SKILL.md': skillFile('review', 'context: fork\n') });
  expect(findSkill(disk, places, 'review')?.shown).toBe('.ralph/skills/review');
  expect(shown(places, 'review')).toEqual([
    { source: '.ralph/skills/review', shadows: ['ours'], problems: [] },
  ]);
});

describe('a folder that cannot be a skill is refused with one sentence and stands before nothing', () => {
  it.each([
    ['a name that differs', { 'SKILL.md': skillFile('other') }, 'the name is other and the folder is triage'],
    [
      '5 MB of instructions',
      { 'SKILL.md': skillFile('triage', '', 'x'.repeat(5_000_000)) },
      /^is 50000\d\d bytes, but at most 262144 are allowed$/,
    ],
    [
      'a link to a secret',
      { 'SKILL.md': skillFile('triage'), 'references/a.md': { link: '/etc/passwd' } },
      'is a link to /etc/passwd, and links are not followed',
    ],
    [
      'its file as a link',
      { 'SKILL.md': { link: '/etc/passwd' } },
      'is a link to /etc/passwd, and links are not followed',
    ],
    [
      'a reference that names a file outside',
      { 'SKILL.md': skillFile('triage'), 'references/a.md': '[x](../../b.md)' },
      'names ../../b.md, which is outside the skill',
    ],
    ['no SKILL.md', { 'README.md': 'x' }, 'does not exist'],
    [
      '300 files',
      Object.fromEntries([
        ['SKILL.md', skillFile('triage')],
        ...Array.from({ length: 300 }, (_, at) => [`a/${at}.md`, 'x'] as const),
      ]),
      'shares its folder with more than 199 other files',
    ],
    [
      'a deep folder',
      { 'a/b/c/d/e/f/g/h.md': 'x', 'SKILL.md': skillFile('triage') },
      'is more than 6 folders deep',
    ],
  ])('%s', (_, files, problem) => {
    const places = createPlaces();
    writeFiles(join(places.workspace, '.ralph/skills/triage'), files);
    expect(shown(places, 'triage').find(({ source }) => source !== 'ours')?.problems).toEqual([
      typeof problem === 'string' ? problem : expect.stringMatching(problem),
    ]);
    expect(findSkill(disk, places, 'triage')?.origin).toBe('ours');
  });

  it('a folder behind a link that leaves the repository', () => {
    const places = createPlaces();
    writeFiles(places.home, { 'else/triage/SKILL.md': skillFile('triage') });
    writeFiles(places.workspace, { '.ralph/skills/triage': { link: join(places.home, 'else/triage') } });
    expect(shown(places, 'triage').find(({ source }) => source !== 'ours')?.problems).toEqual([
      'is a link to a folder elsewhere, and such links are not followed',
    ]);
    expect(findSkill(disk, places, 'triage')?.origin).toBe('ours');
  });
});

test('a link between two folders of skills in one repository is followed, as installers make them', () => {
  const places = createPlaces();
  writeFiles(places.workspace, {
    '.agents/skills/notes/SKILL.md': skillFile('notes'),
    '.claude/skills/notes': { link: '../../.agents/skills/notes' },
  });
  expect(shown(places, 'notes')).toEqual([
    { source: '.agents/skills/notes', shadows: ['.claude/skills/notes'], problems: [] },
  ]);
});

test('the digest changes with every byte, every name and every further file', () => {
  const folder = join(tempDir(), 'notes');
  const digests = new Set<string>();
  for (const [name, text] of [
    ['SKILL.md', skillFile('notes')],
    ['SKILL.md', skillFile('notes', 'license: a\n')],
    ['a.md', 'x'],
    ['b.md', 'x'],
  ] as const) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
    digests.add(readSkill(disk, folder).sha256);
  }
  expect(digests.size).toBe(4);
});

test('every skill of ours keeps the format without a remark, and every phase of an issue has one that works alone', () => {
  const ours = findSkills(disk, createPlaces());
  expect(ours.flatMap(({ name, problems }) => problems.map(({ what }) => `${name}: ${what}`))).toEqual([]);
  for (const phase of taskPhaseSchema.options)
    expect(findSkill(disk, createPlaces(), skillOfPhase[phase])?.skill?.context, phase).toBe('fork');
});
