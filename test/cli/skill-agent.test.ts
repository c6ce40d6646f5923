import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { runProgram, startProgram } from '../helpers/program.ts';
import { skillFile } from '../helpers/skill-folder.ts';
import { createSkillWorkspace } from '../helpers/skill-workspace.ts';

const block = (text: string): string => `\`\`\`\`document\n${text}\`\`\`\`\n`;
const research = (reference = 'src/a.ts:2'): string =>
  `---\ndate: 2026-11-23\nstatus: complete\ntype: research\nauthor: ada\n---\n# How a works\n\n## Question\n\nHow?\n\n## Summary\n\nSo.\n\n## Findings\n\nIt is so.\n\n## Code References\n\n- ${reference}\n\n## Open Questions\n\nNone.\n`;
const say = (text: string) => ({ do: 'say', text }) as const;
const code = { 'src/a.ts': 'one\ntwo\n' };
const ask =
  '```ask\n{"question": "Which part?", "options": [{"label": "reading", "detail": "r"}, "writing"]}\n```';

describe('research-codebase with an agent', () => {
  it('sends the skill and the question, offers what the agent asks, and keeps the document after a yes', async () => {
    const { skill, read, names, prompts } = createSkillWorkspace(
      [
        { actions: [say(`I looked around.\n${ask}`)] },
        { when: 'reading', actions: [say(`Here it is.\n${block(research())}`)] },
      ],
      code,
    );
    const { stdout, code: exit } = await skill(
      ['research-codebase', 'How', 'does', 'a', 'work?'],
      '1',
      '1',
      '2',
      '1',
    );
    expect(stdout).toContain('I looked around.');
    expect(stdout).toContain('Which part?\n1  reading\n   r\n2  writing\n3  end the conversation');
    expect(stdout).toContain('  ## Code References');
    expect(stdout).toMatch(
      /Kept: thoughts\/shared\/research\/\d{4}-\d\d-\d\d-how-a-works\.md\nNext: ralph-tui skill create-plan \S+\n$/,
    );
    expect(exit).toBe(0);
    expect(read(`thoughts/shared/research/${names('thoughts/shared/research')[0]}`)).toBe(research());
    expect(prompts()).toHaveLength(2);
    expect(JSON.stringify(prompts()[0])).toContain('Asked for: How does a work?');
    expect(JSON.stringify(prompts()[0])).toContain('# Research the code with a person');
  });

  it('asks once for a document that does not fit, and keeps what still does not as a draft with its problems', async () => {
    const { skill, read, names, prompts } = createSkillWorkspace(
      [{ again: true, actions: [say(block(research('src/a.ts:3')))] }],
      code,
    );
    const { stdout } = await skill(['research-codebase', 'x'], '1', '1');
    expect(prompts()).toHaveLength(2);
    expect(JSON.stringify(prompts()[1])).toContain('- src/a.ts:3 does not exist.');
    expect(stdout).toContain(
      'The document is not complete: src/a.ts:3 does not exist.\n1  keep it as a draft',
    );
    expect(stdout).toContain('- src/a.ts:3 does not exist.');
    expect(read(`thoughts/shared/research/${names('thoughts/shared/research')[0]}`)).toContain(
      'status: draft\n',
    );
  });

  it('left in the middle, calls no model before the person spoke, and tells a fresh agent what was said', async () => {
    const { skill, prompts } = createSkillWorkspace(
      [{ when: 'go on please', actions: [say(block(research()))] }, { actions: [say('What exactly?')] }],
      code,
    );
    const left = await skill(['research-codebase', 'x'], 'q');
    expect([left.code, prompts().length]).toEqual([3, 1]);
    const idle = await skill(['--continue'], 'q');
    expect([idle.code, prompts().length]).toEqual([3, 1]);
    const { code: exit } = await skill(['--continue'], 'go on please', '1', '1');
    expect(exit).toBe(0);
    const last = JSON.stringify(prompts().at(-1));
    expect(last).toContain('agent: What exactly?');
    expect(last).toContain('# Research the code with a person');
  });

  it('says so when the agent never hands a document in', async () => {
    const { skill, cwd, prompts } = createSkillWorkspace([
      { again: true, actions: [say('Bonjour, je suis un agent.')] },
    ]);
    // A word that could be a command of ours is said to the agent.
    const { stdout } = await skill(['research-codebase', 'x'], 'end', '1');
    expect(JSON.stringify(prompts()[1])).toContain('"text":"end"');
    expect(stdout).toContain('Bonjour, je suis un agent.');
    expect(stdout).toContain('No document was submitted.');
    expect(readdirSync(cwd)).not.toContain('thoughts');
  });

  it('counts tokens and cost, also as JSON', async () => {
    const { skill, cwd, env } = createSkillWorkspace([
      {
        actions: [
          {
            do: 'update',
            update: {
              sessionUpdate: 'usage_update',
              used: 10,
              size: 100,
              cost: { amount: 0.25, currency: 'USD' },
            },
          },
          say('Hello.'),
        ],
      },
    ]);
    const { stdout } = await skill(['research-codebase', 'x', '--json'], '1');
    expect(JSON.parse(stdout)).toMatchObject({ ended: 'done', kept: null, spent: { cost: 0.25 } });
    const { stdout: counted } = await runProgram(['statistics'], { cwd, env });
    expect(counted).toMatch(/Conversations with a skill\n +research-codebase +1 conversation, \$0\.25/);
  });

  it('asks what the preset does not allow, and shows the whole command', async () => {
    const call = { toolCallId: 'c', title: 'rm -rf x', kind: 'execute', rawInput: { command: 'rm -rf x' } };
    const { skill } = createSkillWorkspace([
      {
        actions: [
          { do: 'permission', toolCall: call, allowed: [say('allowed')], rejected: [say('rejected')] },
        ],
      },
    ]);
    const { stdout } = await skill(['research-codebase', 'x'], '2', '1');
    expect(stdout).toContain('May the agent run this?\nrm -rf x');
    expect(stdout).toContain('rejected');
  });

  it('keeps the conversation when the agent ends', async () => {
    const { skill } = createSkillWorkspace([{ actions: [{ do: 'exit', code: 3 }] }]);
    const { stdout, code: exit } = await skill(['research-codebase', 'x'], 'more');
    expect(exit).toBe(3);
    expect(stdout).toMatch(/You left the conversation. Continue with: ralph-tui skill --continue \d/);
  });
});

const plan = (approach = 'So.'): string =>
  `---\ndate: 2026-11-01\nstatus: draft\ntype: plan\nauthor: ada\ngithub_issue: 1\n---\n# Store pages\n\n## Overview\n\na\n\n## Current State\n\nb\n\n## Desired End State\n\nc\n\n## Not Doing\n\nd\n\n## Approach\n\n${approach}\n\n## Phase 1: Store\n\nAutomated:\n- [ ] \`npm test\`\n\nManual:\n- [ ] look\n\n## Testing\n\ne\n\n## References\n\nf\n`;
const planFile = 'thoughts/shared/plans/2026-11-01-GH-0001-store-pages.md';
const issue = { '.ralph/issues/1.md': '---\ntitle: Store pages\nstate: ready-for-plan\n---\nPlease.\n' };

describe('plans', () => {
  it('create-plan reads its issue as data', async () => {
    const { skill, prompts, names, read } = createSkillWorkspace([{ actions: [say(block(plan()))] }], issue);
    const { stdout } = await skill(['create-plan', '#1'], '1', '1', '1', '1');
    expect(JSON.stringify(prompts()[0])).toMatch(/<<<data \w+ from issue 1\\n1: Store pages/);
    const [name = ''] = names('thoughts/shared/plans');
    expect(stdout).toContain('Issue 1 is in Ready for Plan. Which state should it be in?');
    expect(stdout).toContain('1  Plan in Review\n2  In Progress\n3  leave it in Ready for Plan');
    expect(stdout).toContain(`Next: ralph-tui skill implement-plan thoughts/shared/plans/${name}`);
    expect(read('.ralph/issues/1.md')).toMatch(/state: "?plan.in.review"?/i);
    const comment = JSON.parse(read('.ralph/issues/1.comments.jsonl')).body;
    expect(comment).toBe(`## Implementation Plan\n\nthoughts/shared/plans/${name}\n\nStore pages`);
  });

  it.each([
    ['link', ['1'], ['1', '1', '1']],
    ['state', ['1', '1'], ['1', '1']],
  ] as const)(
    'a talk that was left at the question about the %s continues there',
    async (_, first, second) => {
      const { skill, prompts, read } = createSkillWorkspace([{ actions: [say(block(plan()))] }], issue);
      const left = await skill(['create-plan', '#1'], ...first);
      expect(left.code).toBe(3);
      const [, id = ''] = /--continue (\S+)/.exec(left.stdout) ?? [];
      const { stdout, code } = await skill(['--continue', id], ...second);
      expect(code).toBe(0);
      expect(stdout).toContain('Issue 1 is now Plan in Review.');
      expect(stdout).toContain('Issue 1 links it.');
      expect(stdout).toContain('Next: ralph-tui skill implement-plan');
      expect(read('.ralph/issues/1.comments.jsonl').trim().split('\n')).toHaveLength(1);
      expect(prompts()).toHaveLength(1);
    },
  );

  it('keeps a document without a comment or a move when the person wants none', async () => {
    const { skill, read, cwd } = createSkillWorkspace([{ actions: [say(block(plan()))] }], issue);
    const { stdout } = await skill(['create-plan', '#1'], '1', '2', '3', '1');
    expect(stdout).toContain('Kept: thoughts/shared/plans/');
    expect(read('.ralph/issues/1.md')).toBe(issue['.ralph/issues/1.md']);
    expect(readdirSync(join(cwd, '.ralph/issues'))).toEqual(['1.md']);
  });

  it('iterate-plan finds the plan of an issue and shows its edits as a difference before they are kept', async () => {
    const { skill, read } = createSkillWorkspace([{ actions: [say(block(plan('Better.')))] }], {
      ...issue,
      [planFile]: plan(),
    });
    const { stdout } = await skill(['iterate-plan', '1', 'think', 'again'], '1', '1', '1');
    expect(stdout).toContain('- So.\n+ Better.');
    expect(read(planFile)).toBe(plan('Better.'));
    expect(read('.ralph/issues/1.comments.jsonl')).toContain(`## Plan Updated\\n\\n${planFile}`);
  });

  it('a plan that was edited meanwhile is replaced only after another yes', async () => {
    const { skill, read, env, cwd, agent, write } = createSkillWorkspace(
      [{ actions: [say(block(plan('Better.')))] }],
      { ...issue, [planFile]: plan() },
    );
    const running = startProgram(['skill', 'iterate-plan', '1'], { cwd, env, input: '' });
    await running.waitFor('keep the document');
    write(planFile, plan('Mine.'));
    running.type('1\n');
    await running.waitFor('was edited in the meantime. Replace it with this version?');
    running.type('n\n');
    await running.waitFor('stays as it is');
    running.type('2\n');
    running.endInput();
    await running.done;
    expect(read(planFile)).toBe(plan('Mine.'));
    expect(
      agent.log().filter(({ what, method }) => what === 'request' && method === 'session/prompt'),
    ).toHaveLength(1);
    expect((await skill(['--continue'])).code).toBe(2);
  });
});

const draft = (parts = '', estimate = 'S'): string =>
  `---\ndate: 2026-11-23\nstatus: draft\ntype: issue-draft\nestimate: ${estimate}\n---\n# Offline pages\n\n## Summary\n\nPages open.\n\n## Acceptance Criteria\n\n- [ ] A page opens\n- Nothing is lost\n\n## Context\n\nsrc/a.ts:2\n${parts}`;
const ideaFile = 'thoughts/shared/ideas/2026-11-01-offline-mode.md';
const idea =
  '---\ndate: 2026-11-01\nstatus: draft\ntype: idea\nauthor: ada\ntags: []\ngithub_issue: null\n---\n# Offline mode\n\n## The Idea\n\nRead.\n';

describe('form-idea with an agent', () => {
  it('makes the issue of the draft after the person approved it, once, and the idea names it', async () => {
    const { skill, read, cwd, env, prompts } = createSkillWorkspace([{ actions: [say(block(draft()))] }], {
      [ideaFile]: idea,
    });
    // Make the issue; no; create the issue; yes; leave.
    const { stdout, code: exit } = await skill(
      ['form-idea', ideaFile, '--agent', 'sample'],
      '1',
      '2',
      '1',
      '1',
      '1',
    );
    expect([exit, prompts().length]).toEqual([0, 1]);
    expect(stdout).toContain('Nothing was created.');
    expect(stdout).toContain('Created: 1: Offline pages');
    expect(JSON.stringify(prompts()[0])).toContain('type: issue-draft');
    const { stdout: shown } = await runProgram(['issues', 'show', '1', '--json'], { cwd, env });
    expect(JSON.parse(shown)).toMatchObject({
      title: 'Offline pages',
      estimate: 'S',
      body: '\n## Summary\n\nPages open.\n\n## Acceptance Criteria\n\n- [ ] A page opens\n- [ ] Nothing is lost\n\n## Context\n\nsrc/a.ts:2\n',
    });
    expect(readdirSync(join(cwd, '.ralph/issues')).filter((name) => name.endsWith('.md'))).toEqual(['1.md']);
    expect(read(ideaFile)).toBe(
      idea.replace('status: draft', 'status: formed').replace('github_issue: null', 'github_issue: 1'),
    );
    const again = await skill(['form-idea', ideaFile, '--agent', 'sample']);
    expect([again.code, prompts().length]).toEqual([2, 1]);
    expect(again.stderr).toContain('has already been turned into issue 1');
  });

  it('makes a parent with its parts in order, and names what is similar', async () => {
    const { skill, cwd, env } = createSkillWorkspace(
      [{ actions: [say(block(draft('\n## Parts\n\n- XS: store pages\n- S: read them\n')))] }],
      { '.ralph/issues/7.md': '---\ntitle: Pages offline\nstate: backlog\n---\n' },
    );
    const { stdout } = await skill(['form-idea', 'Offline mode', '--agent', 'sample'], '1', '1', '1');
    expect(stdout).toContain('Similar: 7: Pages offline');
    const { stdout: all } = await runProgram(['issues', '--json'], { cwd, env });
    expect(JSON.parse(all)).toMatchObject([
      { id: '7' },
      { id: '8', title: 'Offline pages' },
      { id: '9', title: 'store pages', estimate: 'XS', parent: '8', blockedBy: [] },
      { id: '10', title: 'read them', estimate: 'S', parent: '8', blockedBy: ['9'] },
    ]);
  });

  it('keeps a better idea in its own file, with the difference in sight, and makes no issue', async () => {
    const before = `${idea.replace('Read.', 'Read pages.')}${['Why This Matters', 'Rough Shape', 'Open Questions', 'Related'].map((each) => `\n## ${each}\n\nNone.\n`).join('')}`;
    const better = before.replace('Read pages.', 'Read pages on a plane.');
    const { skill, read, cwd } = createSkillWorkspace(
      [{ actions: [say(block(draft()))] }, { when: 'better', actions: [say(block(better))] }],
      { [ideaFile]: before },
    );
    const { stdout } = await skill(
      ['form-idea', ideaFile, '--agent', 'sample'],
      ...['no, a better idea', '1', '1'], // keep the document; end
    );
    expect(stdout).toContain('1  create the issue');
    expect(stdout).toContain('- Read pages.\n+ Read pages on a plane.');
    expect(stdout).toMatch(
      /1 {2}keep the document[\s\S]*Kept: \S+offline-mode\.md\nNext: ralph-tui skill form-idea/,
    );
    expect(read(ideaFile)).toBe(better);
    expect(readdirSync(join(cwd, '.ralph'))).not.toContain('issues');
  });

  it('offers no issue for a draft that is not complete', async () => {
    const { skill, cwd } = createSkillWorkspace([{ again: true, actions: [say(block(draft('', 'huge')))] }]);
    const { stdout } = await skill(['form-idea', 'x', '--agent', 'sample'], '1');
    expect(stdout).toContain('estimate must be XS, S, M, L or XL.');
    expect(stdout).not.toContain('create the issue');
    expect(readdirSync(join(cwd, '.ralph'))).not.toContain('issues');
  });
});

test.each([
  ['an issue that is closed', ['create-plan', '1'], /issue 1 is Done/],
  ['an issue that is not there', ['create-plan', '#7'], /issue 7 does not exist/],
  ['a plan that is not there', ['iterate-plan', '2'], /there is no plan for 2/],
  ['no plan', ['iterate-plan'], /iterate-plan needs a plan/],
  ['an unknown agent', ['create-plan', 'x', '--agent', 'ghost'], /unknown agent "ghost"/],
  [
    'an agent that is not installed',
    ['create-plan', 'x', '--agent', 'gemini'],
    /Gemini CLI is not installed/,
  ],
])('%s is refused with one sentence and no model call', async (_, args, sentence) => {
  const { skill, prompts } = createSkillWorkspace([{ actions: [say('x')] }], {
    '.ralph/issues/1.md': '---\ntitle: a\nstate: done\n---\n',
    '.ralph/issues/2.md': '---\ntitle: b\nstate: backlog\n---\n',
  });
  const { code: exit, stderr, stdout } = await skill(args, '1', '1');
  expect(stderr).toMatch(sentence);
  expect([exit, stdout, prompts().length]).toEqual([2, '', 0]);
});

test("a repository's skill runs only after its files were shown and accepted", async () => {
  const { skill, prompts, cwd, env } = createSkillWorkspace([{ actions: [say('Done.')] }], {
    '.ralph/skills/notes/SKILL.md': skillFile('notes', '', 'Take notes.'),
  });
  const refused = await skill(['notes', 'x'], '1');
  expect([refused.code, prompts().length]).toEqual([3, 0]);
  expect(refused.stderr).toContain('.ralph/skills/notes would instruct agents');
  expect((await skill(['notes', 'x', '--yes'], '1')).code).toBe(0);
  expect(JSON.stringify(prompts()[0])).toContain('Take notes.');
  expect((await runProgram(['skill', 'list', '--json'], { cwd, env })).stdout).toContain(
    '"name":"notes","origin":"repository","source":".ralph/skills/notes","state":"ready"',
  );
});

test('allowed-tools narrows: what a skill does not name is refused under every preset, and named afterwards', async () => {
  const edit = { toolCallId: 'e', title: 'Write a.ts', kind: 'edit', locations: [{ path: 'a.ts' }] };
  const unasked = { sessionUpdate: 'tool_call', toolCallId: 'u', title: 'Edit b.ts', kind: 'edit' };
  const { skill } = createSkillWorkspace(
    [
      {
        actions: [
          { do: 'permission', toolCall: edit, allowed: [say('allowed')], rejected: [say('rejected')] },
          { do: 'update', update: { ...unasked, status: 'in_progress' } },
          {
            do: 'update',
            update: { sessionUpdate: 'tool_call_update', toolCallId: 'u', status: 'completed' },
          },
        ],
      },
    ],
    { '.ralph/skills/notes/SKILL.md': skillFile('notes', 'allowed-tools: Read Grep\n', 'Take notes.') },
  );
  const { stdout } = await skill(['notes', 'x', '--yes', '--permissions', 'all'], '1');
  expect(stdout).toContain('rejected');
  expect(stdout).toContain('Refused: Write a.ts; the skill allows only Read, Grep.');
  expect(stdout).toContain(
    'The agent did not ask for this: Edit b.ts (the skill allows only Read, Grep). Review what it changed.',
  );
});

test('allowed-tools widens nothing: what the preset asks about is asked about', async () => {
  const call = { toolCallId: 'c', title: 'rm x', kind: 'execute', rawInput: { command: 'rm x' } };
  const { skill } = createSkillWorkspace(
    [
      {
        actions: [
          { do: 'permission', toolCall: call, allowed: [say('allowed')], rejected: [say('rejected')] },
        ],
      },
    ],
    { '.ralph/skills/notes/SKILL.md': skillFile('notes', 'allowed-tools: Bash\n', 'Take notes.') },
  );
  const { stdout } = await skill(['notes', 'x', '--yes', '--permissions', 'ask'], '2', '1');
  expect(stdout).toContain('May the agent run this?');
  expect(stdout).toContain('rejected');
});

const unasked = (command: string) => [
  {
    do: 'update' as const,
    update: {
      sessionUpdate: 'tool_call',
      toolCallId: command,
      title: 'Run a command',
      kind: 'execute',
      rawInput: { command },
      status: 'completed',
    },
  },
];

test('a command that ran unasked is compared with the patterns, and nothing is taken before the person answers', async () => {
  const { skill, cwd } = createSkillWorkspace(
    [{ actions: [...unasked('git log'), ...unasked('git push'), say(`Here.\n${block(research())}`)] }],
    {
      ...code,
      '.ralph/skills/notes/SKILL.md': skillFile(
        'notes',
        'allowed-tools: Bash(git log:*)\nmetadata:\n  document: research\n',
        'Take notes.',
      ),
    },
  );
  // Keep; no; leave. Then: keep; yes.
  const first = await skill(['notes', 'x', '--yes'], '1', '2', 'q');
  expect(first.stdout).toContain('The agent did not ask for this: git push (');
  expect(first.stdout).not.toContain('The agent did not ask for this: git log');
  expect(first.stdout).toContain('The agent did something it was not allowed to do. Accept its work?');
  expect([first.code, readdirSync(cwd).includes('thoughts')]).toEqual([3, false]);
  const { stdout, code: exit } = await skill(['--continue', '--yes'], '1', '1', '1');
  expect([exit, readdirSync(join(cwd, 'thoughts/shared/research')).length]).toEqual([0, 1]);
  expect(stdout).toContain('Accept its work?');
});

test("the person's guidance refuses what it forbids, under every preset, and shows what was done unasked", async () => {
  const run = {
    toolCallId: 'c',
    title: 'git push',
    kind: 'execute',
    rawInput: { command: 'git push origin' },
  };
  const edit = { toolCallId: 'e', title: 'Write', kind: 'edit', locations: [{ path: 'gen/a.ts' }] };
  const { skill, prompts } = createSkillWorkspace(
    [
      {
        actions: [
          { do: 'permission', toolCall: run, allowed: [say('ran')], rejected: [say('not run')] },
          { do: 'permission', toolCall: edit, allowed: [say('edited')], rejected: [say('not edited')] },
          ...unasked('git push'),
        ],
      },
    ],
    { '.ralph/guidance.yaml': 'forbidden:\n  - command: git push\n  - path: gen/**\n' },
  );
  const refused = await skill(['research-codebase', 'x', '--permissions', 'all'], '1');
  expect([refused.code, prompts().length]).toEqual([3, 0]);
  expect(refused.stderr).toContain('.ralph/guidance.yaml');
  const { stdout } = await skill(['research-codebase', 'x', '--permissions', 'all', '--yes'], '1');
  expect(stdout).toContain('not run');
  expect(stdout).toContain('not edited');
  expect(stdout).toContain(
    "Refused: git push origin; `git push origin` must not be run: the person's guidance",
  );
  expect(stdout).toContain('The agent did not ask for this: git push (');
});

test('a skill that names files outside of its folder is refused, and calls no model', async () => {
  const { skill, prompts } = createSkillWorkspace([{ actions: [say('Done.')] }], {
    '.ralph/skills/notes/SKILL.md': skillFile('notes', '', 'Read [this](../../../secret.md).'),
  });
  const { code: exit, stderr } = await skill(['notes', 'x', '--yes'], '1');
  expect([exit, prompts().length]).toEqual([2, 0]);
  expect(stderr).toContain('names ../../../secret.md, which is outside the skill');
});

test('an agent or by a command running in a session starts no skill', async () => {
  const { cwd, env } = createSkillWorkspace([]);
  const { code: exit, stderr } = await runProgram(['skill', 'draft-idea', 'x'], {
    cwd,
    env: { ...env, RALPH_RUN: 'a/b' },
  });
  expect([exit, stderr]).toEqual([2, expect.stringContaining('only a person can work with a skill')]);
});
