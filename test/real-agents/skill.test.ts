import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Lane, Part } from '../helpers/model-server/script.ts';
import { git } from '../helpers/repository.ts';
import { openTerminal } from '../helpers/terminal.ts';
import { isLongForm } from '../helpers/test-form.ts';
import { createProgramWorld, realEntry } from './program-world.ts';
import { installedAgents, modelServer } from './world.ts';

const matter = (type: string, status: string, more = ''): string =>
  `---\ndate: 2026-11-23\nstatus: ${status}\ntype: ${type}\n${more}---\n`;
const sections = (...names: readonly string[]): string =>
  names.map((name) => `\n## ${name}\n\n${name === 'Code References' ? '- src/a.ts:2' : 'None.'}\n`).join('');
const document = (text: string): Part => ({ text: `Here it is.\n\n\`\`\`\`document\n${text}\`\`\`\`\n` });
const ask = '```ask\n{"question": "Which part?", "options": ["reading", "writing"]}\n```';

const idea = `${matter('idea', 'draft', 'author: ada\ntags: []\ngithub_issue: null\n')}# Offline pages\n${sections('The Idea', 'Why This Matters', 'Rough Shape', 'Open Questions', 'Related')}`;
const issue = `${matter('issue-draft', 'draft', 'estimate: S\n')}# Offline pages\n\n## Summary\n\nPages open.\n\n## Acceptance Criteria\n\n- A page opens\n\n## Context\n\nsrc/a.ts:2\n`;
const research = `${matter('research', 'complete', 'author: ada\n')}# How pages open\n${sections('Question', 'Summary', 'Findings', 'Code References', 'Open Questions')}`;
const plan = (approach: string): string =>
  `${matter('plan', 'draft', 'author: ada\ngithub_issue: 1\n')}# Offline pages\n${sections('Overview', 'Current State', 'Desired End State', 'Not Doing')}\n## Approach\n\n${approach}\n\n## Phase 1: Store\n\nAutomated:\n- [ ] \`test -f store.txt\`\n\nManual:\n- [ ] it reads well\n${sections('Testing', 'References')}`;

const lane = (name: string, steps: Lane['steps']): Lane => ({
  name,
  when: [`The instructions of the skill "${name}"`],
  steps,
});

describe.each(installedAgents())('$name', (agent) => {
  // What differs between agents is how they begin, ask and remember: one of them goes all the way in the short form.
  const isWhole = isLongForm || agent.name === 'codex';
  test('the six skills, each on a screen, from an idea to a branch, left in the middle and continued', async () => {
    const world = createProgramWorld();
    const { workspace, home } = world;
    mkdirSync(join(workspace, 'src'), { recursive: true });
    writeFileSync(join(workspace, 'src/a.ts'), 'one\ntwo\n');
    writeFileSync(join(workspace, '.gitignore'), '.ralph/\nthoughts/\n');
    git(workspace, 'config', 'user.name', 'kim');
    git(workspace, 'config', 'user.email', 'kim@host');
    git(workspace, 'add', '.');
    git(workspace, 'commit', '-qm', 'Add the code');
    const model = await modelServer(
      lane('draft-idea', [{ reply: [document(idea)] }]),
      lane('form-idea', [{ reply: [document(issue)] }]),
      lane('research-codebase', [
        { reply: [{ text: `I looked around.\n\n${ask}` }] },
        { expects: 'reading', reply: [document(research)] },
      ]),
      lane('create-plan', [{ reply: [document(plan('So.'))] }]),
      lane('iterate-plan', [{ reply: [document(plan('Better.'))] }]),
      lane('implement-plan', [
        { reply: [agent.hand.create('', 'store.txt', 'stored')] },
        { reply: [{ text: 'Stored.' }] },
      ]),
    );
    world.configure({
      isolation: 'worktree',
      agents: { [agent.name]: realEntry(agent, home, model.url) },
      roles: { executor: agent.name },
    });
    const open = (args: readonly string[], columns = 120, rows = 36) => {
      const env = { HOME: home, USER: 'ada' };
      const terminal = openTerminal(['skill', ...args, '--yes'], { cwd: workspace, columns, rows, env });
      onTestFinished(() => terminal.kill('SIGKILL'));
      const answer = async (words: string, next: RegExp): Promise<void> => {
        if (words !== '') {
          terminal.type(words);
          await terminal.waitFor(`> ${words}`);
        }
        terminal.press('enter');
        await terminal.waitFor(next);
      };
      return { terminal, answer, first: (words: RegExp) => terminal.waitFor(words) };
    };
    const onlyFile = (folder: string): string => {
      const names = readdirSync(join(workspace, 'thoughts/shared', folder));
      expect(names).toHaveLength(1);
      return `thoughts/shared/${folder}/${names[0]}`;
    };
    const read = (path: string): string => readFileSync(join(workspace, path), 'utf8');
    const endIt = /1 end the conversation/;

    if (isWhole) {
      const draft = open(['draft-idea', 'offline pages', '--agent', agent.name]);
      await draft.first(/1 keep the document/);
      await draft.answer('', endIt);
      await draft.answer('', /Or: ralph-tui skill create-plan/);
      expect(await draft.terminal.exit).toBe(0);
      expect(draft.terminal.text()).toMatch(/Tokens: [\d,]+ in, [\d,]+ out/);

      const form = open(['form-idea', onlyFile('ideas'), '--agent', agent.name]);
      await form.first(/1 create the issue/);
      await form.answer('', /1 yes, create it/);
      await form.answer('1', endIt);
      await form.answer('', /Created: 1: Offline pages/);
      expect(read(onlyFile('ideas'))).toContain('github_issue: 1');
    } else {
      mkdirSync(join(workspace, '.ralph/issues'));
      writeFileSync(
        join(workspace, '.ralph/issues/1.md'),
        '---\ntitle: Offline pages\nstate: backlog\n---\n',
      );
    }

    const asked = open(['research-codebase', '#1'], 80, 24);
    await asked.first(/2 writing/);
    asked.terminal.press('escape');
    expect(await asked.terminal.exit).toBe(3);
    const answered = open(['--continue'], 80, 24);
    await answered.first(/2 writing/);
    await answered.answer('', /1 keep the document/);
    await answered.answer('', /Link thoughts[\s\S]*1 yes/);
    await answered.answer('1', endIt);
    await answered.answer('', /Next: ralph-tui skill create-plan/);
    expect(read(onlyFile('research'))).toBe(research);
    if (!isWhole) return;

    const created = open(['create-plan', '1'], 160, 45);
    await created.first(/1 keep the document/);
    await created.answer('', /Link thoughts[\s\S]*1 yes/);
    await created.answer('1', /Which state should it be in\?[\s\S]*leave it in/);
    await created.answer('1', endIt);
    await created.answer('', /Next: ralph-tui skill implement-plan/);

    const iterated = open(['iterate-plan', '1', 'say it better'], 160, 45);
    await iterated.first(/\+ Better\.[\s\S]*1 keep the document/);
    await iterated.answer('', /Link thoughts[\s\S]*1 yes/);
    await iterated.answer('1', /end the conversation|leave it in/);
    iterated.terminal.press('escape');
    await iterated.terminal.exit;
    expect(read(onlyFile('plans'))).toBe(plan('Better.'));

    const built = open(['implement-plan', '1', '--permissions', 'edits'], 80, 24);
    await built.first(/1 in a worktree/);
    await built.answer('', /1 check Phase 1: Store/);
    await built.answer('', /May ralph-tui run this check\?[\s\S]*1 yes/);
    await built.answer('1', /1 I checked Phase 1: Store/);
    await built.answer('', /Numbers[\s\S]*1 it reads well/);
    expect(read(onlyFile('plans'))).toContain('- [ ] it reads well');
    await built.answer('1', /2 keep the branch/);
    await built.answer('2', /Every phase of|leave it in/);
    expect(read(onlyFile('plans'))).not.toContain('- [ ]');
    expect(git(workspace, 'branch', '--list', 'ralph/*')).toContain('ralph/offline-pages');
    expect(git(workspace, 'show', 'ralph/offline-pages:store.txt')).toBe('stored\n');
    expect(model.problems).toEqual([]);
  });
});
