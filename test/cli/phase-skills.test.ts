import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { phaseSkill, phaseSkillSubjects } from '../../src/cli/trust/own-skills.ts';
import { rememberTrust } from '../../src/cli/trust/trust-memory.ts';
import { createWorld } from '../../src/cli/world.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { workspaceWith } from '../helpers/workspace.ts';

const world = createWorld();
const own = (words: string): string =>
  `---\nname: plan\ndescription: Writes the plan of an issue the way of this repository.\ncontext: fork\n---\n${words}\n`;
const file = '.ralph/skills/plan/SKILL.md';

test('a phase works by the skill of the repository only with exactly the accepted files, and says so where it does not', () => {
  const workspace = workspaceWith({ [file]: own('Plan it our way.') });
  const env = { XDG_STATE_HOME: tempDir(), HOME: tempDir() };
  const planned = () => phaseSkill(env, world, workspace, 'plan');
  expect(planned().text).toMatch(/^# /);
  expect(planned().refused).toEqual({
    code: 'skill-not-accepted',
    what: ".ralph/skills/plan: its current text has not been accepted, so the plan phase uses the program's own skill",
    hint: 'the next start in a terminal will ask you to accept it',
  });
  const [subject, ...others] = phaseSkillSubjects(env, world, workspace);
  expect(others).toEqual([]);
  expect(subject?.lines).toContain('Plan it our way.');
  expect(
    rememberTrust(env, world, {
      workspace,
      name: subject?.name ?? '',
      sha256: subject?.sha256 ?? '',
      at: '2026-02-15T10:15:00Z',
    }),
  ).toBe(true);
  expect(planned()).toEqual({ text: expect.stringContaining('Plan it our way.'), refused: null });
  expect(phaseSkill(env, world, workspace, 'research').refused).toBeNull();
  writeFileSync(join(workspace, file), own('Plan it the way of an agent.'));
  expect(planned().text).not.toContain('agent.');
  expect(planned().refused?.code).toBe('skill-not-accepted');
});

test('a skill of the repository that is none is named with its reason', () => {
  const workspace = workspaceWith({ [file]: '# no front matter\n' });
  const env = { XDG_STATE_HOME: tempDir(), HOME: tempDir() };
  expect(phaseSkillSubjects(env, world, workspace)).toEqual([]);
  expect(phaseSkill(env, world, workspace, 'plan').refused?.what).toMatch(
    /^\.ralph\/skills\/plan cannot be used \(SKILL\.md.*\), so the plan phase uses the program's own skill$/,
  );
});
