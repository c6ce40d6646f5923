import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Lane, Part } from '../helpers/model-server/script.ts';
import { createProgramWorld, realEntry } from './program-world.ts';
import { answer, replies } from './story.ts';
import { installedAgents, modelServer } from './world.ts';

const ids = ['harmless', 'edits', 'removes', 'cleans'] as const;
const plan = `goal: Try what is guarded
tasks:
${ids.map((id) => `  - {id: ${id}, title: ${id}, verify: ['true']}\n`).join('')}`;

/** A task in which the agent does this and says that it changed nothing. */
const laneOf = (id: (typeof ids)[number], ...does: readonly Part[]): Lane => ({
  name: id,
  when: ['# Executor: one task', `## Task ${id}: ${id}`],
  steps: [
    ...replies(does),
    { reply: [answer({ status: 'completed', summary: ['Done.'], files_modified: [], criteria: [] })] },
  ],
});

test.each(installedAgents().slice(0, 1))(
  'what $name does to forbidden files, .ralph and sessions is undone, said, and fails its attempt; reading is fine',
  async (agent) => {
    const world = createProgramWorld();
    const { workspace } = world;
    const put = (path: string, text: string): void => {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), text);
    };
    put('gen/a.txt', 'one\n');
    put('plan.yaml', plan);
    put('.ralph-sessions/990101-101500/journal.jsonl', '{"of": "another session"}\n');
    execFileSync('git', ['add', 'gen', 'plan.yaml'], { cwd: workspace });
    const { shell, edit } = agent.hand;
    const model = await modelServer(
      laneOf(
        'harmless',
        shell('cat .ralph/config.yaml .ralph-sessions/*/metadata.yaml gen/a.txt; git status'),
        // It asks, and the answer is no.
        ...edit(workspace, 'gen/a.txt', 'one', 'asked'),
      ),
      laneOf('edits', shell(`node -e "require('fs').writeFileSync('gen/a.txt', 'unasked')"`)),
      laneOf(
        'removes',
        shell(
          'rm -rf .ralph; for f in .ralph-sessions/*/metadata.yaml; do echo "status: completed" > $f; done',
        ),
      ),
      laneOf('cleans', shell('git clean -fdx')),
    );
    world.configure({
      agents: { [agent.name]: realEntry(agent, world.home, model.url) },
      roles: { executor: agent.name },
      planning: { max_cycles: 0 },
      concurrency: { max_parallel_executors: 1 },
      retries: { max_attempts: 1 },
    });
    expect((await world.start('guidance', 'forbid', 'path:gen/**').done).code).toBe(0);
    const guarded = () => ['.ralph/config.yaml', '.ralph/guidance.yaml'].map(world.read);
    const before = guarded();

    const run = ['run', '--plan', 'plan.yaml', '--permissions', 'workspace', '--headless', '--no-discovery'];
    const { code, stdout, stderr } = await world.start(...run).done;

    expect({ code, problems: model.problems, left: model.left() }, stdout + stderr).toEqual({
      code: 1,
      problems: [],
      left: [],
    });
    const failed = world.events().filter(({ type }) => type === 'task.failed');
    expect(failed.map(({ task, reason }) => `${task}: ${reason}`)).toEqual([
      "edits: gen/a.txt must not be changed: the person's guidance forbids path:gen/**",
      // Which is named first depends on what was looked at first: the host looks while the agent deletes.
      expect.stringMatching(/^removes: it changed or deleted \.ralph\S*\/\S+ and \d+ more$/),
      expect.stringMatching(/^cleans: it changed or deleted \.ralph\S*\/\S+ and \d+ more$/),
    ]);
    expect(stdout).toMatch(/refused: gen\/a\.txt/);
    expect(stdout).toMatch(/deleted \S+ and \d+ more from this session; they were restored/);
    expect(stdout).toContain('deleted another session (990101-101500); all files were restored');
    expect(guarded()).toEqual(before);
    expect(world.read('.ralph-sessions/990101-101500/journal.jsonl')).toContain('another session');
    // Nothing that came back counts as an edit of a person.
    expect(world.events().filter(({ type }) => type.endsWith('edited-by-hand'))).toEqual([]);
    expect(world.agents()).toEqual([]);
  },
);
