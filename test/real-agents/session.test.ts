import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codexEntry } from '../../src/cli/integrations/entries/codex-entry.ts';
import type { Lane, Step } from '../helpers/model-server/script.ts';
import { startProgram } from '../helpers/program.ts';
import { git } from '../helpers/repository.ts';
import type { RealAgent } from './agents/real-agent.ts';
import { startOf } from './agents.ts';
import { replies } from './story.ts';
import { installedAgents, makeHome, makeWorkspace, modelServer, processes } from './world.ts';

const json = (value: unknown): Step => ({ reply: [{ text: `Done.\n${JSON.stringify(value)}` }] });

/** Each role of a session whose one task changes `a.txt`, in the words of the contracts. */
const lanes = (agent: RealAgent): readonly Lane[] => {
  const hand = agent.hand;
  const outcome = {
    status: 'completed',
    summary: ['Changed a.txt.'],
    files_modified: ['a.txt'],
    criteria: [{ criterion: 'a.txt says two', status: 'met', evidence: 'looked' }],
  };
  return [
    { name: 'brainstorm', when: ['# Questioner: what must be known'], steps: [json({ questions: [] })] },
    {
      name: 'breakdown',
      when: ['# Planner: from the goal to tasks'],
      steps: [
        json({
          approach: ['One edit.'],
          notes: [],
          tasks: [
            {
              id: 'edit',
              title: 'Edit a.txt',
              objective: 'Make a.txt say two',
              files: ['a.txt'],
              criteria: ['a.txt says two'],
              verify: ['grep -q two a.txt'],
            },
          ],
        }),
      ],
    },
    {
      name: 'implement',
      when: ['# Executor: one task'],
      steps: [
        ...replies(hand.edit('', 'a.txt', 'one', 'two')),
        ...replies(hand.ours('task_update', { status: 'completed', outcome })),
        { reply: [{ text: 'All done.' }] },
      ],
    },
    {
      name: 'review',
      when: ['# Reviewer: one attempt'],
      steps: [json({ verdict: 'Qualified', summary: ['It says two.'], criteria: outcome.criteria })],
    },
    {
      name: 'session review',
      when: ['# Reviewer: the iteration as a whole'],
      steps: [json({ assessment: 'Good.', goals_achieved: true })],
    },
    {
      name: 'stage',
      when: ['# Librarian: what is worth keeping'],
      steps: [json({ items: [], dropped: [] })],
    },
  ];
};

/** The person's own settings of the agent contain our server, too. Under the name of the session's tools it displaced them. */
const beside: Readonly<Record<string, (home: string) => void>> = {
  codex: (home) => {
    const file = join(home, '.codex/config.toml');
    const edited = codexEntry.add(readFileSync(file, 'utf8'));
    if (edited.ok) writeFileSync(file, edited.value);
  },
};

describe.each(installedAgents())('$name', (agent) => {
  test('works on a goal in a worktree from the plan to the merge, through our tools, and leaves the workspace and no process behind', async () => {
    const home = makeHome();
    const workspace = makeWorkspace(home);
    const model = await modelServer(...lanes(agent));
    const start = startOf(agent, home, model.url);
    beside[agent.name]?.(home);
    const config = join(home, 'config');
    mkdirSync(join(config, 'ralph-tui'), { recursive: true });
    // PATH is the program's own to pass.
    const env = Object.fromEntries(Object.entries(start.env).filter(([name]) => name !== 'PATH'));
    writeFileSync(
      join(config, 'ralph-tui', 'config.yaml'),
      JSON.stringify({
        agents: {
          [agent.name]: { type: 'acp', profile: agent.name, command: [start.command, ...start.args], env },
        },
      }),
    );
    const program = startProgram(
      ['run', 'Make a.txt say two', '--agent', agent.name, '--permissions', 'workspace', '--headless'],
      { cwd: workspace, env: { XDG_CONFIG_HOME: config } },
    );
    const { code, stdout, stderr } = await program.done;
    expect({ code, problems: model.problems, left: model.left() }, `${stdout}\n${stderr}`).toEqual({
      code: 0,
      problems: [],
      left: [],
    });
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('one\n');
    const branch = git(workspace, 'branch', '--list', '--format=%(refname:short)', 'ralph/*').trim();
    expect(git(workspace, 'show', `${branch}:a.txt`)).toBe('two\n');
    expect(stdout).toContain(branch);
    expect(processes().filter(({ environment }) => environment.includes(`RALPH_RUN=${workspace}`))).toEqual(
      [],
    );
  });
});
