import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createSkillWorkspace } from '../helpers/skill-workspace.ts';

const say = (text: string) => ({ do: 'say', text }) as const;
const write = (path: string, text: string) => ({ do: 'write', path, text }) as const;
const block = (text: string): string => `\`\`\`\`document\n${text}\`\`\`\`\n`;
const issue = (state: string): string => `---\ntitle: Store pages\nstate: ${state}\n---\nPlease.\n`;
const research =
  '---\ndate: 2026-11-23\nstatus: complete\ntype: research\nauthor: ada\n---\n# How a works\n\n## Question\n\nHow?\n\n## Summary\n\nSo.\n\n## Findings\n\nIt is so.\n\n## Code References\n\n- src/a.ts:1\n\n## Open Questions\n\nNone.\n';

test('an agent without a login is named with the way to log in, and the conversation waits', async () => {
  const { skill, prompts } = createSkillWorkspace([{ actions: [say('x')] }], {}, { newSession: 'login' });
  const { stdout, code } = await skill(['research-codebase', 'x'], '1');
  expect([code, prompts().length]).toEqual([3, 0]);
  expect(stdout).toMatch(/Sample is not logged in/);
  expect(stdout).toMatch(/You left the conversation. Continue with: ralph-tui skill --continue \d/);
});

test('an issue that the agent closes in its file is brought back and named, and the document is linked', async () => {
  const { skill, read, cwd, prompts } = createSkillWorkspace(
    [
      { actions: [say('Which part?')] },
      { when: 'all', actions: [write('.ralph/issues/1.md', issue('done')), say(block(research))] },
    ],
    { 'src/a.ts': 'one\n', '.ralph/issues/1.md': issue('backlog') },
  );
  const { stdout, code } = await skill(
    ['research-codebase', '#1', '--permissions', 'all'],
    'all',
    '1',
    '1',
    '1',
    '1',
  );
  expect(code).toBe(0);
  expect(stdout).toContain('The agent changed .ralph/issues/1.md; it was restored');
  expect([read('.ralph/issues/1.md').includes('state: done'), prompts().length]).toEqual([false, 2]);
  expect(readdirSync(`${cwd}/.ralph/issues`)).toEqual(['1.comments.jsonl', '1.md']);
  expect(readdirSync(`${cwd}/thoughts/shared/research`)).toHaveLength(1);
});

test('a conversation whose issue was closed after its person left is continued, and says so', async () => {
  const {
    skill,
    write: put,
    cwd,
  } = createSkillWorkspace([{ actions: [say(block(research))] }], {
    'src/a.ts': 'one\n',
    '.ralph/issues/1.md': issue('backlog'),
  });
  expect((await skill(['research-codebase', '#1'], 'q')).code).toBe(3);
  put('.ralph/issues/1.md', issue('canceled'));
  const { stdout, code } = await skill(['--continue'], '1', '1');
  expect(stdout).toContain('Issue 1 was closed in the meantime: it is Canceled.');
  expect([code, readdirSync(`${cwd}/thoughts/shared/research`).length]).toEqual([0, 1]);
});

test.each([
  ['implement-plan', []],
  ['iterate-plan', []],
  ['form-idea', ['--agent', 'sample']],
])(
  '%s: a document with broken front matter is refused with its line, and no model is called',
  async (name, more) => {
    const broken = '---\nstatus: draft\ntags: [a\n---\n# x\n\n## Phase 1: a\n\nAutomated:\n- [ ] `true`\n';
    const { skill, read, prompts } = createSkillWorkspace([{ actions: [say('x')] }], { 'broken.md': broken });
    const { code, stderr } = await skill([name, 'broken.md', ...more], '1', '1', '1', '1');
    expect(stderr).toMatch(/broken\.md:4: /);
    expect([code, prompts().length, read('broken.md')]).toEqual([1, 0, broken]);
  },
);
