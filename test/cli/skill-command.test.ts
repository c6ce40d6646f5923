import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { usableSkill } from '../../src/cli/trust/own-skills.ts';
import { rememberTrust } from '../../src/cli/trust/trust-memory.ts';
import { createWorld } from '../../src/cli/world.ts';
import { findSkill } from '../../src/skills/find-skills.ts';
import { shippedSkills } from '../../src/skills/shipped-skills.io.ts';
import { createShell } from '../helpers/shell.ts';
import { skillFile, writeFiles } from '../helpers/skill-folder.ts';

test('skill new makes a good skill, list and show know it, and an edit of it is asked about again', async () => {
  const { cwd, run, json } = createShell();
  const file = join(cwd, '.ralph/skills/notes/SKILL.md');
  expect(await run(['skill', 'new', 'notes'])).toEqual({ code: 0, out: `written: ${file}`, notes: '' });
  expect(await run(['skill', 'check', '.ralph/skills/notes'])).toMatchObject({
    code: 0,
    out: 'notes is a valid skill',
  });
  expect((await run(['skill', 'check', 'notes'])).out).toBe('notes is a valid skill');
  expect((await run(['skill'])).out).toMatch(/^notes +\.ralph\/skills +talks with you +Says in one/m);
  expect((await run(['skill', 'show', 'notes'])).out).toMatch(
    /^notes TOPIC: Says in one[\s\S]*from: \.ralph\/skills\/notes[\s\S]*1\. Ask what is missing\./,
  );
  writeFileSync(file, readFileSync(file, 'utf8').replace('Ask', 'Guess'));
  expect(await json('skill', 'show', 'notes')).toMatchObject({
    name: 'notes',
    origin: 'repository',
    state: 'not accepted',
  });
  expect((await run(['skill', 'show', 'notes'])).notes).toBe(
    'ralph-tui: this skill came with the repository, and is not used until you accept it',
  );
});

test('the list says what stands before what, and why a folder is not used', async () => {
  const { cwd, run } = createShell();
  writeFiles(join(cwd, '.ralph/skills'), {
    'review/SKILL.md': skillFile('review', 'context: fork\n'),
    'wrong/SKILL.md': skillFile('right'),
  });
  const { code, out, notes } = await run(['skill', 'list']);
  expect(code).toBe(0);
  expect(out).toMatch(/^review +\.ralph\/skills +not accepted +Does something/m);
  expect(out).toMatch(/^triage +ralph-tui +works alone +Decides what/m);
  expect(notes.split('\n')).toEqual([
    'ralph-tui: review: .ralph/skills/review is used instead of the one that ships with ralph-tui',
    'ralph-tui: .ralph/skills/wrong is not used: SKILL.md:2: the name is right and the folder is wrong; they must be the same',
  ]);
});

test.each([
  [
    ['skill', 'new', 'Notes'],
    2,
    'ralph-tui: the name Notes may contain only lower-case letters a to z, digits and hyphens; choose a name such as release-notes',
  ],
  [
    ['skill', 'new', '../x'],
    2,
    'ralph-tui: the name ../x may contain only lower-case letters a to z, digits and hyphens; choose a name such as release-notes',
  ],
  [['skill', 'show', 'ghost'], 2, /^ralph-tui: unknown skill ghost; known: .*triage/],
  [
    ['skill', 'check', 'nowhere'],
    2,
    'ralph-tui: nowhere is neither a folder nor a skill in this workspace; name the folder that holds SKILL.md',
  ],
])('%j is refused with one sentence', async (args, code, notes) => {
  const result = await createShell().run(args);
  expect(result.code).toBe(code);
  expect(result.notes).toEqual(typeof notes === 'string' ? notes : expect.stringMatching(notes));
});

test('skill new overwrites nothing', async () => {
  const { cwd, run } = createShell({ '.ralph/skills/notes/SKILL.md': 'mine' });
  expect(await run(['skill', 'new', 'notes'])).toMatchObject({
    code: 1,
    notes: 'ralph-tui: .ralph/skills/notes/SKILL.md: exists already',
  });
  expect(readFileSync(join(cwd, '.ralph/skills/notes/SKILL.md'), 'utf8')).toBe('mine');
});

test('skill check prints each problem with its line and exits with 1 for a skill that would be refused', async () => {
  const { run, json } = createShell({ 'pdf/SKILL.md': skillFile('pdf', 'hooks: {}\nversion: "1"\n') });
  expect(await run(['skill', 'check', 'pdf/SKILL.md'])).toMatchObject({
    code: 1,
    out: [
      'error: SKILL.md:4: hooks is for commands that start automatically, which a skill cannot set; remove hooks',
      'warning: SKILL.md:5: version is not a field of the skill format and is ignored',
      'pdf would be refused',
    ].join('\n'),
  });
  expect(await json('skill', 'check', 'pdf')).toMatchObject({
    valid: false,
    problems: [{ severity: 'error', where: 'SKILL.md:4' }, {}],
  });
});

test("work without a person uses a repository's skill only with exactly the files that a person accepted", () => {
  const { cwd } = createShell();
  const env = { HOME: join(cwd, 'home'), XDG_STATE_HOME: join(cwd, 'state') };
  const world = createWorld();
  const folder = join(cwd, '.ralph/skills/triage');
  writeFiles(folder, { 'SKILL.md': skillFile('triage', 'context: fork\n'), 'references/a.md': 'a' });
  mkdirSync(env.HOME);
  const use = () => {
    const { skill, untrusted } = usableSkill(env, world, cwd, 'triage');
    return [skill?.origin, untrusted];
  };
  expect(use()).toEqual(['ours', '.ralph/skills/triage']);
  const places = { workspace: cwd, home: env.HOME, ours: shippedSkills() };
  const sha256 = findSkill(world.disk, places, 'triage')?.sha256 ?? '';
  rememberTrust(env, world, {
    workspace: cwd,
    name: '.ralph/skills/triage',
    sha256,
    at: '2026-11-23T12:00:00+00:00',
  });
  expect(use()).toEqual(['repository', null]);
  writeFileSync(join(folder, 'references/a.md'), 'b');
  expect(use()).toEqual(['ours', '.ralph/skills/triage']);
});
