import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { runProgram, startProgram } from '../helpers/program.ts';
import type { AgentScript } from '../helpers/scripted-agent/script.ts';
import { createScriptedAgent } from '../helpers/scripted-agent/scripted-agent.ts';
import { skillFile } from '../helpers/skill-folder.ts';
import { tempDir } from '../helpers/temp-dir.ts';

/** A workspace whose person has one agent, a scripted one, and types the given lines. */
const createWorkspace = (
  turns: AgentScript['turns'],
  files: Readonly<Record<string, string>> = {},
  more: Partial<AgentScript> = {},
) => {
  const root = tempDir();
  const cwd = join(root, 'work');
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  mkdirSync(join(cwd, '.git'), { recursive: true });
  for (const [path, text] of Object.entries(files)) write(path, text);
  const agent = createScriptedAgent(root, { ...more, turns });
  const config = join(root, 'config/ralph-tui');
  mkdirSync(config, { recursive: true });
  writeFileSync(
    join(config, 'config.yaml'),
    JSON.stringify({
      agents: { sample: { type: 'acp', command: [agent.command, ...agent.args], label: 'Sample' } },
    }),
  );
  const env = {
    XDG_CONFIG_HOME: join(root, 'config'),
    XDG_STATE_HOME: join(root, 'state'),
    HOME: root,
    USER: 'ada',
    PATH: '/usr/bin:/bin',
  };
  const skill = (args: readonly string[], ...lines: readonly string[]) => runSkill(args, lines);
  const runSkill = async (args: readonly string[], lines: readonly string[]) => {
    const running = startProgram(['skill', ...args], {
      cwd,
      env,
      input: lines.map((line) => `${line}\n`).join(''),
    });
    running.endInput();
    return running.done;
  };
  const read = (path: string): string => readFileSync(join(cwd, path), 'utf8');
  const names = (path: string): readonly string[] => readdirSync(join(cwd, path)).sort();
  const prompts = () =>
    agent.log().filter(({ what, method }) => what === 'request' && method === 'session/prompt');
  return { cwd, env, agent, skill, read, names, write, prompts };
};

const block = (text: string): string => `\`\`\`\`document\n${text}\`\`\`\`\n`;
const research = (reference = 'src/a.ts:2'): string =>
  `---\ndate: 2026-11-23\nstatus: complete\ntype: research\nauthor: ada\n---\n# How a works\n\n## Question\n\nHow?\n\n## Summary\n\nSo.\n\n## Findings\n\nIt is so.\n\n## Code References\n\n- ${reference}\n\n## Open Questions\n\nNone.\n`;
const say = (text: string) => ({ do: 'say', text }) as const;
const code = { 'src/a.ts': 'one\ntwo\n' };
const ask =
  '```ask\n{"question": "Which part?", "options": [{"label": "reading", "detail": "r"}, "writing"]}\n```';

describe('research-codebase with an agent', () => {
  it('sends the skill and the question, offers what the agent asks, and keeps the document after a yes', async () => {
    const { skill, read, names, prompts } = createWorkspace(
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
    expect(stdout).toMatch(/Kept: thoughts\/shared\/research\/\d{4}-\d\d-\d\d-how-a-works\.md\n$/);
    expect(exit).toBe(0);
    expect(read(`thoughts/shared/research/${names('thoughts/shared/research')[0]}`)).toBe(research());
    expect(prompts()).toHaveLength(2);
    expect(JSON.stringify(prompts()[0])).toContain('Asked for: How does a work?');
    expect(JSON.stringify(prompts()[0])).toContain('# Research the code with a person');
  });

  it('asks once for a document that does not fit, and keeps what still does not as a draft with its problems', async () => {
    const { skill, read, names, prompts } = createWorkspace(
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
    const { skill, prompts } = createWorkspace(
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
    const { skill, cwd } = createWorkspace([{ again: true, actions: [say('Bonjour, je suis un agent.')] }]);
    const { stdout } = await skill(['research-codebase', 'x'], 'a document please', '1');
    expect(stdout).toContain('Bonjour, je suis un agent.');
    expect(stdout).toContain('No document was handed in.');
    expect(readdirSync(cwd)).not.toContain('thoughts');
  });

  it('counts tokens and cost, also as JSON', async () => {
    const { skill } = createWorkspace([
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
  });

  it('asks what the preset does not allow, and shows the whole command', async () => {
    const call = { toolCallId: 'c', title: 'rm -rf x', kind: 'execute', rawInput: { command: 'rm -rf x' } };
    const { skill } = createWorkspace([
      {
        actions: [
          { do: 'permission', toolCall: call, allowed: [say('allowed')], rejected: [say('rejected')] },
        ],
      },
    ]);
    const { stdout } = await skill(['research-codebase', 'x'], '2', '1');
    expect(stdout).toContain('May the agent do this? command\nrm -rf x');
    expect(stdout).toContain('rejected');
  });

  it('keeps the conversation when the agent ends', async () => {
    const { skill } = createWorkspace([{ actions: [{ do: 'exit', code: 3 }] }]);
    const { stdout, code: exit } = await skill(['research-codebase', 'x'], 'more');
    expect(exit).toBe(3);
    expect(stdout).toMatch(/Left; go on with: ralph-tui skill --continue \d/);
  });
});

const plan = (approach = 'So.'): string =>
  `---\ndate: 2026-11-01\nstatus: draft\ntype: plan\nauthor: ada\ngithub_issue: 1\n---\n# Store pages\n\n## Overview\n\na\n\n## Current State\n\nb\n\n## Desired End State\n\nc\n\n## Not Doing\n\nd\n\n## Approach\n\n${approach}\n\n## Phase 1: Store\n\nAutomated:\n- [ ] \`npm test\`\n\nManual:\n- [ ] look\n\n## Testing\n\ne\n\n## References\n\nf\n`;
const planFile = 'thoughts/shared/plans/2026-11-01-GH-0001-store-pages.md';
const issue = { '.ralph/issues/1.md': '---\ntitle: Store pages\nstate: ready-for-plan\n---\nPlease.\n' };

describe('plans', () => {
  it('create-plan reads its issue as data', async () => {
    const { skill, prompts, names } = createWorkspace([{ actions: [say(block(plan()))] }], issue);
    await skill(['create-plan', '#1'], '1', '1');
    expect(JSON.stringify(prompts()[0])).toMatch(/<<<data \w+ from issue 1\\n1: Store pages/);
    expect(names('thoughts/shared/plans')).toHaveLength(1);
  });

  it('iterate-plan finds the plan of an issue and shows its edits as a difference before they are kept', async () => {
    const { skill, read } = createWorkspace([{ actions: [say(block(plan('Better.')))] }], {
      ...issue,
      [planFile]: plan(),
    });
    const { stdout } = await skill(['iterate-plan', '1', 'think', 'again'], '1', '1');
    expect(stdout).toContain('- So.\n+ Better.');
    expect(read(planFile)).toBe(plan('Better.'));
  });

  it('a plan that was edited meanwhile is replaced only after another yes', async () => {
    const { skill, read, env, cwd, agent, write } = createWorkspace(
      [{ actions: [say(block(plan('Better.')))] }],
      { ...issue, [planFile]: plan() },
    );
    const running = startProgram(['skill', 'iterate-plan', '1'], { cwd, env, input: '' });
    await running.waitFor('keep the document');
    write(planFile, plan('Mine.'));
    running.type('1\n');
    await running.waitFor('was edited meanwhile. Replace it like this?');
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

test('implement-plan begins at the first open phase, and manual boxes are ticked only on the word of the person', async () => {
  const done = plan().replace('- [ ] `npm test`', '- [x] `npm test`').replace('- [ ] look', '- [x] look');
  const { skill, read, prompts } = createWorkspace([{ actions: [say(`Done.\n${block(done)}`)] }], {
    ...issue,
    [planFile]: plan(),
  });
  const { stdout } = await skill(['implement-plan', '1'], '1', '1', '1');
  expect(JSON.stringify(prompts()[0])).toContain('begin at Phase 1: Store');
  expect(stdout).toContain('Manual boxes stay as you left them.');
  expect(stdout).toContain('1  I checked Phase 1: Store');
  expect(stdout).toContain('What did you see in Phase 1: Store?\n1  look');
  expect(read(planFile)).toBe(done);
});

test.each([
  ['an issue that is closed', ['create-plan', '1'], /issue 1 is Done/],
  ['an issue that is not there', ['create-plan', '#7'], /there is no issue 7/],
  ['a plan that is not there', ['iterate-plan', '2'], /there is no plan for 2/],
  ['no plan', ['iterate-plan'], /iterate-plan needs a plan/],
  ['an unknown agent', ['create-plan', 'x', '--agent', 'ghost'], /unknown agent "ghost"/],
  [
    'an agent that is not installed',
    ['create-plan', 'x', '--agent', 'gemini'],
    /Gemini CLI is not installed/,
  ],
])('%s is refused with one sentence and no model call', async (_, args, sentence) => {
  const { skill, prompts } = createWorkspace([{ actions: [say('x')] }], {
    '.ralph/issues/1.md': '---\ntitle: a\nstate: done\n---\n',
    '.ralph/issues/2.md': '---\ntitle: b\nstate: backlog\n---\n',
  });
  const { code: exit, stderr, stdout } = await skill(args, '1', '1');
  expect(stderr).toMatch(sentence);
  expect([exit, stdout, prompts().length]).toEqual([2, '', 0]);
});

test("a repository's skill runs only after its files were shown and accepted", async () => {
  const { skill, prompts, cwd, env } = createWorkspace([{ actions: [say('Done.')] }], {
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

test('an agent or a command of a session starts no skill', async () => {
  const { cwd, env } = createWorkspace([]);
  const { code: exit, stderr } = await runProgram(['skill', 'draft-idea', 'x'], {
    cwd,
    env: { ...env, RALPH_RUN: 'a/b' },
  });
  expect([exit, stderr]).toEqual([2, expect.stringContaining('a person works with a skill')]);
});
