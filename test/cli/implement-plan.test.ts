import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startGhProgram } from '../helpers/gh-program.ts';
import { startProgram } from '../helpers/program.ts';
import { git } from '../helpers/repository.ts';
import { createSkillWorkspace } from '../helpers/skill-workspace.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const say = (text: string) => ({ do: 'say', text }) as const;
const write = (path: string, text: string) => ({ do: 'write', path, text }) as const;

/** Two phases: the first has a manual box, the second only a command. `x` ticks a box. */
const plan = (one = ' ', manual = ' ', two = ' ', status = 'approved'): string =>
  `---\ndate: 2026-11-01\nstatus: ${status}\ntype: plan\nauthor: ada\ngithub_issue: 1\n---\n# Store pages\n\n## Overview\n\nPages stay.\n\n## Phase 1: Store\n\nChange \`src/store.ts:1\`.\n\nAutomated:\n- [${one}] \`test -f a.txt\`\n\nManual:\n- [${manual}] look\n\n## Phase 2: Read\n\nAutomated:\n- [${two}] \`grep -q two a.txt\`\n`;
const planFile = 'thoughts/shared/plans/2026-11-01-GH-0001-store-pages.md';
const branch = 'ralph/gh-0001-store-pages';
const files = {
  '.ralph/issues/1.md': '---\ntitle: Store pages\nstate: plan-in-review\n---\nPlease.\n',
  [planFile]: plan(),
};
const phase1 = { when: 'carry out "Phase 1: Store', actions: [write('a.txt', 'one\n'), say('Stored.')] };
const phase2 = { when: 'carry out "Phase 2: Read', actions: [write('a.txt', 'two\n'), say('Read.')] };

describe('implement-plan in a worktree', () => {
  it('carries the plan out phase by phase, merges each on the word of the person, and ends with the text of a pull request', async () => {
    const { skill, read, cwd, prompts, names } = createSkillWorkspace([phase1, phase2], files, { git: true });
    const { stdout, code } = await skill(
      ['implement-plan', '1'],
      ...['1', '2', '1', '1', '1', '1'], // in a worktree; what changed; check, run it; I checked it, I saw it
      ...['1', '1', '1', '1'], // begin; check, run it; I checked it
      ...['1', '1', '1'], // the text of a pull request; both moves of the issue
    );
    expect(stdout).toContain('+one');
    expect(stdout).toContain('Phase 1: Store is done.');
    expect(stdout).toContain('Every phase of ');
    expect(stdout).toContain('Issue 1 is now In Review.');
    expect(stdout).toContain(`Merge it with: git merge --no-overwrite-ignore ${branch}`);
    expect(code).toBe(0);
    expect(read(planFile)).toBe(plan('x', 'x', 'x', 'done'));
    expect(git(cwd, 'show', `${branch}:a.txt`)).toBe('two\n');
    expect(git(cwd, 'log', '--format=%s', `main..${branch}`)).toContain('Phase 1: Store');
    expect(git(cwd, 'diff', '--name-only', 'main', branch)).toBe('a.txt\n');
    expect([existsSync(join(cwd, 'a.txt')), git(cwd, 'branch', '--show-current')]).toEqual([false, 'main\n']);
    expect(git(cwd, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(read('.ralph/issues/1.comments.jsonl')).toContain('## Implementation Complete');
    expect(read(`thoughts/shared/reports/${names('thoughts/shared/reports')[0]}`)).toContain('Closes GH-1');
    expect(prompts()).toHaveLength(2);
    expect(JSON.stringify(prompts()[0])).toContain('which do not exist:\\nsrc/store.ts');
  });

  it('ticks nothing on the word of the agent: a check that fails leaves the phase open', async () => {
    const done = `\`\`\`\`document\n${plan('x', 'x', 'x')}\`\`\`\`\n`;
    const { skill, read, cwd, prompts } = createSkillWorkspace(
      [
        { when: 'Fix the work', actions: [write('a.txt', 'one\n'), say('Mended.')] },
        { when: 'Phase 1', actions: [write(planFile, plan('x', 'x', 'x')), say(`All boxes pass.\n${done}`)] },
      ],
      files,
      { git: true },
    );
    const first = await skill(['implement-plan', planFile], '1', '1', '1', '4');
    expect(first.stdout).toContain('The plan is unchanged');
    expect(first.stdout).toContain('`test -f a.txt` exited 1');
    expect(first.stdout).not.toContain('I checked Phase 1');
    expect([first.code, read(planFile), prompts().length]).toEqual([3, plan(), 1]);
    // Check, let the agent mend it, check, I checked it, I saw it, not the next phase.
    const second = await skill(['--continue'], '1', '1', '1', '1', '1', '2');
    expect(second.stdout).toContain(
      'but that change was discarded: only you and this program may tick boxes.',
    );
    expect([second.code, read(planFile)]).toEqual([3, plan('x', 'x')]);
    expect(git(cwd, 'diff', '--name-only', 'main', branch)).toBe('a.txt\n');
  });

  it('asks before it merges a line that looks like a secret, and says at --continue where it stands', async () => {
    const key = ['AKIA', 'QWERTYUIOPASDFGH'].join('');
    const leak = {
      when: 'carry out "Phase 1: Store',
      actions: [write('a.txt', `key = ${key}\n`), say('Stored.')],
    };
    const more = { when: 'where you stopped', actions: [say('Nothing is left to do.')] };
    const { skill, read, cwd } = createSkillWorkspace([more, leak], files, { git: true });
    const left = await skill(['implement-plan', '1'], '1', 'q');
    expect(left.code).toBe(3);
    // Let the agent continue; check, run it; I checked it, I saw it; not merged; stop.
    const asked = await skill(['--continue'], '2', '1', '1', '1', '1', '2', '3');
    expect(asked.stdout).toContain(
      'Phase 1: Store: begun, 0 of 2 boxes ticked, not checked now. How should the agent continue?',
    );
    expect(asked.stdout).toContain('Nothing is left to do.');
    expect(asked.stdout).toContain('The phase could not be merged: a.txt:1 looks like a secret.');
    expect(git(cwd, 'diff', '--name-only', 'main', branch)).toBe('');
    expect(read(planFile)).not.toBe(plan('x', 'x'));
    const looked = await skill(['--continue'], '1', '1', '1', '1', '1', '2');
    expect(looked.stdout).toContain('Phase 1: Store is done.');
    expect(git(cwd, 'diff', '--name-only', 'main', branch)).toBe('a.txt\n');
  });

  it('is resumed at the first open phase, on the branch where it was left, by --continue and by another conversation', async () => {
    const { skill, read, cwd, prompts } = createSkillWorkspace([phase1, phase2], files, { git: true });
    const done = await skill(['implement-plan', '1'], '1', '1', '1', '1', '1', '2');
    expect(done.stdout).toContain('Begin Phase 2: Read?');
    expect([done.code, read(planFile)]).toEqual([3, plan('x', 'x')]);
    const again = await skill(['implement-plan'], '1', '1', '3');
    expect(again.stdout).toContain('Which plan?\n1  Store pages');
    expect(again.stdout).toContain(`1  on ${branch}, where this plan was started`);
    expect(again.stdout).not.toContain('boxes are ticked');
    expect(JSON.stringify(prompts().at(-1))).toContain('carry out \\"Phase 2: Read\\"');
    expect(prompts()).toHaveLength(2);
    const { stdout, code } = await skill(['--continue'], '1', '1', '1', '2', '2');
    expect([code, read(planFile), prompts().length]).toEqual([0, plan('x', 'x', 'x', 'done'), 2]);
    expect(stdout).not.toContain('Where should the plan be carried out?');
    expect(git(cwd, 'show', `${branch}:a.txt`)).toBe('two\n');
  });
});

describe('what is ticked', () => {
  it('counts without a check only on the word of the person', async () => {
    const { skill, read, prompts } = createSkillWorkspace([phase1], {
      ...files,
      [planFile]: plan('x', 'x', 'x'),
    });
    const { stdout } = await skill(['implement-plan', '1'], '2', '2');
    expect(stdout).toContain('3 boxes were ticked, but not by this program. Did you verify them?');
    expect(stdout).toContain('Phase 1: Store: look');
    expect([read(planFile), prompts().length]).toEqual([plan(), 1]);
  });

  it('by an edit of the file meanwhile does not count, and its words only after they were shown', async () => {
    const edited = plan('x', 'x', 'x').replace('Pages stay.', 'Pages stay for ever.');
    const { skill, read, cwd } = createSkillWorkspace(
      [{ when: 'Phase 1', actions: [write(planFile, edited), say('Done.')] }],
      files,
    );
    const { stdout } = await skill(['implement-plan', '1'], '1', '2');
    expect(stdout).toContain('was edited in the meantime. Which version should be used?');
    expect(stdout).toContain('+ Pages stay for ever.');
    expect(read(planFile)).toBe(plan().replace('Pages stay.', 'Pages stay for ever.'));
    expect(stdout).toContain('The work takes place here, without a branch');
    expect(existsSync(join(cwd, '.ralph/conversations'))).toBe(true);
  });
});

it('asks how to continue when the plan and the code differ, and offers no check meanwhile', async () => {
  const reply = '**Expected**: src/store.ts\n**Found**: src/cache.ts:1\n**Why**: it was renamed';
  const { skill, prompts } = createSkillWorkspace(
    [
      { when: 'Phase 1', actions: [say(reply)] },
      { when: 'do as you suggest', actions: [say('Done.')] },
    ],
    files,
  );
  const { stdout } = await skill(['implement-plan', '1'], '1', '2');
  expect(stdout).toContain(
    'The plan and the code differ. How should the agent continue?\n1  do as you suggest\n2  stop here',
  );
  expect(stdout).toMatch(/Done\.\n\nWhat do you say\?\n1 {2}check Phase 1: Store/);
  expect(prompts()).toHaveLength(2);
});

it('a check that the person does not allow leaves the phase open', async () => {
  const { skill, read } = createSkillWorkspace([phase1], files, { git: true });
  const { stdout } = await skill(['implement-plan', '1'], '2', '1', '2', '2');
  expect(stdout).toContain('The checks did not run, so the phase stays open.');
  expect(read(planFile)).toBe(plan());
});

it('two conversations on one plan: the second is refused with who has it, also by --continue', async () => {
  const { skill, cwd, env, prompts } = createSkillWorkspace(
    [{ again: true, actions: [say('Ready.')] }],
    files,
  );
  const left = await skill(['implement-plan', '1'], 'q');
  expect(left.code).toBe(3);
  const id = /--continue (\d{6}-\d{6})/.exec(left.stdout)?.[1] ?? '';
  const open = startProgram(['skill', 'iterate-plan', planFile], { cwd, env, input: '' });
  onTestFinished(() => open.kill('SIGKILL'));
  await open.waitFor('What do you say?');
  const sent = prompts().length;
  for (const args of [
    ['implement-plan', '1'],
    ['--continue', id],
  ]) {
    const { code, stderr } = await skill(args, '1');
    expect([code, prompts().length]).toEqual([1, sent]);
    expect(stderr).toMatch(/the conversation \d{6}-\d{6} \(iterate-plan, process \d+\) is working on it/);
  }
});

it('opens a pull request that closes the issue where the tracker is GitHub, after the person said so', async () => {
  const onlyPhase = `${plan().split('## Phase 2')[0]}`;
  const {
    skill,
    cwd,
    env,
    write: put,
    read,
  } = createSkillWorkspace([phase1], { [planFile]: onlyPhase }, { git: true });
  const origin = tempDir();
  const { bin, gh, pullRequests } = await startGhProgram(origin, () => 'SUCCESS', '');
  git(origin, 'init', '-q', '--bare', '-b', 'main');
  git(cwd, 'remote', 'add', 'origin', origin);
  git(cwd, 'push', '-q', 'origin', 'main');
  gh.run(['issue', 'create', '--title=Store pages', '--body-file', '-'], 'Please.');
  const config = '../config/ralph-tui/config.yaml';
  put(config, JSON.stringify({ ...JSON.parse(read(config)), flow: { tracker: 'gh' } }));
  env['PATH'] = `${bin}:${process.env['PATH']}`;
  // In a worktree; check, run it; I checked it, I saw it; open it; leave the issue where it is.
  const { stdout } = await skill(['implement-plan', '1'], '1', '1', '1', '1', '1', '1', '2');
  expect(stdout).toContain(
    'What should happen to the branch?\n1  open a pull request\n   pushes ralph/gh-0001-store-pages to origin',
  );
  expect(stdout).toMatch(/Pull request: https:\/\/\S+/);
  expect(pullRequests).toMatchObject([{ branch, base: 'main', title: 'Store pages' }]);
  expect(pullRequests[0]?.body).toMatch(/- \[x\] look \(by hand\)[\s\S]*^Closes #1$/m);
});
