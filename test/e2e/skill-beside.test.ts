import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { skillFile } from '../helpers/skill-folder.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { openScreen } from '../helpers/terminal.ts';
import { waitingPlan, workspaceWith } from '../helpers/workspace.ts';

const open = (files: Readonly<Record<string, string>> = {}) => {
  const root = tempDir();
  const agent = createScriptedAgent(root, {
    turns: [{ actions: [{ do: 'say', text: 'What exactly do you want to know?' }] }],
  });
  mkdirSync(join(root, 'config/ralph-tui'), { recursive: true });
  const agents = { sample: { type: 'acp', command: [agent.command, ...agent.args], label: 'Sample' } };
  writeFileSync(join(root, 'config/ralph-tui/config.yaml'), JSON.stringify({ agents }));
  const cwd = workspaceWith({ 'plan.yaml': waitingPlan, ...files });
  const terminal = openScreen(['run', '--plan', 'plan.yaml'], {
    cwd,
    columns: 120,
    rows: 36,
    env: {
      XDG_CONFIG_HOME: join(root, 'config'),
      XDG_STATE_HOME: join(root, 'state'),
      HOME: root,
      USER: 'ada',
      PATH: '/usr/bin:/bin',
    },
  });
  onTestFinished(() => terminal.kill('SIGKILL'));
  const palette = async (words: string): Promise<void> => {
    terminal.press(':');
    await terminal.waitFor(/Commands: \d+/);
    terminal.type(words);
    await terminal.waitFor((screen) => screen.includes(`: ${words}`) && /Commands: \d\b/.test(screen));
    terminal.press('enter');
  };
  const prompts = (): number =>
    agent.log().filter(({ what, method }) => what === 'request' && method === 'session/prompt').length;
  return { cwd, terminal, palette, prompts };
};

test('the palette opens an idea over a running session, which continues below, keeps it, and forms it into an issue', async () => {
  const { cwd, terminal, palette } = open();
  await terminal.waitFor(/waiting for first/);
  await palette('draft an idea');
  await terminal.waitFor('What is the idea?');
  const answer = async (text: string, next: string): Promise<void> => {
    if (text !== '') {
      terminal.type(text);
      await terminal.waitFor(`> ${text}`);
    }
    terminal.press('enter');
    await terminal.waitFor(next);
  };
  await answer('Offline mode', 'What should it make possible');
  await answer('Read pages', 'An incident, a wish');
  writeFileSync(join(cwd, 'go-first'), '');
  await answer('', 'A rough shape is enough.');
  await answer('', 'Keep this idea?');
  expect(terminal.screen()).toContain('Read pages');
  await answer('', 'Kept: thoughts/shared/ideas/');
  await terminal.waitFor(/second +Second +running|▸ second/);
  const [idea = ''] = readdirSync(join(cwd, 'thoughts/shared/ideas'));

  await palette('form an idea');
  await terminal.waitFor('Which idea?');
  await answer('1', 'What should be true when it is done, in one line?');
  await answer('Pages open offline', 'What should it become?');
  await answer('', 'How will you know that it is done?');
  terminal.press('escape');
  await terminal.waitFor('Closed; continue it from the palette');
  await palette('continue your latest conversation');
  await terminal.waitFor('How will you know that it is done?');
  await answer('A page opens', 'What should someone who builds it know');
  await answer('', 'How large is it?');
  await answer('', 'Create this in your tracker?');
  expect(terminal.screen()).toContain('A page opens');
  expect(readdirSync(join(cwd, '.ralph'))).not.toContain('issues');
  await answer('y', 'Created: 1: Pages open offline');
  expect(readFileSync(join(cwd, 'thoughts/shared/ideas', idea), 'utf8')).toContain('github_issue: 1');
});

test('a conversation with an agent is left with Esc and continued from the palette, without another call', async () => {
  const { terminal, palette, prompts } = open();
  await terminal.waitFor(/waiting for first/);
  await palette('research the code');
  await terminal.waitFor('What exactly do you want to know?');
  expect(terminal.screen()).toContain('Sample works with you; permissions:');
  terminal.press('escape');
  await terminal.waitFor(/Closed; continue it from the palette, or with: ralph-tui skill --continue \d/);
  expect(terminal.screen()).toContain('running');
  await palette('continue your latest conversation');
  await terminal.waitFor('What exactly do you want to know?');
  expect(prompts()).toBe(1);
});

test("a repository's skill is shown before it is opened over a session", async () => {
  const { terminal, palette, prompts } = open({
    '.ralph/skills/research-codebase/SKILL.md': skillFile('research-codebase', '', 'Our own research.'),
  });
  await terminal.waitFor(/waiting for first/);
  await palette('research the code');
  await terminal.waitFor('would instruct agents');
  expect([terminal.screen().includes('Our own research.'), prompts()]).toEqual([true, 0]);
  terminal.press('y');
  await terminal.waitFor('What exactly do you want to know?');
  expect(prompts()).toBe(1);
});
