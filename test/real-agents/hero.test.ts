import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Lane, Part } from '../helpers/model-server/script.ts';
import { git } from '../helpers/repository.ts';
import { codex } from './agents/codex.ts';
import { gemini } from './agents/gemini.ts';
import { completeHome } from './agents.ts';
import { createProgramWorld, realEntry } from './program-world.ts';
import { answer } from './story.ts';
import { allInstalled, modelServer } from './world.ts';

const issue = (title: string): string =>
  `---\ntitle: ${title}\nstate: research-needed\nestimate: S\nparent: "9"\n---\nPlease.\n`;

/** The turns of a task of the list; `more` stands before its answer. */
const lane = (task: string, outcome: object, ...more: readonly (readonly Part[])[]): Lane => ({
  name: task,
  when: [`## Task ${task}:`],
  steps: [...more.map((reply) => ({ reply })), { reply: [answer(outcome)] }],
});

const research = (id: string, file: string): Lane =>
  lane(`research-${id}`, { document: `# What is with ${id}`, files: [file] });
const plan = (task: string): Lane => lane(task, { document: '# The plan\n\n## Phase 1\n', phase_count: 1 });
const review = (task: string, verdict: string): Lane =>
  lane(task, { verdict, document: `# Critique of ${task}`, summary: ['no test'] });
const pr = (task: string): Lane => lane(task, { title: `Work of ${task}`, body: 'What and why.' });
const work = (task: string, file: string, line: string, hold?: string): Lane =>
  lane(task, { status: 'completed', summary: [`Wrote ${file}.`], files_modified: [file], criteria: [] }, [
    ...(hold === undefined ? [] : [{ hold }]),
    codex.hand.create('', file, line),
  ]);

test.skipIf(!allInstalled(gemini, codex))(
  'Gemini and Codex take two streams from research to merge over a rejected plan, PAUSE, kill -9 and an issue that a person cancels',
  { timeout: 600_000 },
  async () => {
    const world = createProgramWorld();
    const { workspace } = world;
    const model = await modelServer(
      research('1', 'one.txt'),
      research('2', 'two.txt'),
      research('3', 'two.txt'),
      plan('plan-1_stream'),
      review('review-1_stream', 'NEEDS_ITERATION'),
      plan('plan-1_stream_r2'),
      review('review-1_stream_r2', 'APPROVED'),
      plan('plan-2_stream'),
      review('review-2_stream', 'APPROVED'),
      // The first one is killed while its model is silent; the attempt after it is answered by the second lane.
      { name: 'killed', when: ['## Task implement-1_stream:'], steps: [{ reply: [{ hold: 'never' }] }] },
      work('implement-1_stream', 'one.txt', 'one'),
      { name: 'killed too', when: ['## Task implement-2_stream:'], steps: [{ reply: [{ hold: 'never' }] }] },
      work('implement-2_stream', 'two.txt', 'two'),
      pr('pr-1_stream'),
      pr('pr-2_stream'),
    );
    const issues = join(workspace, '.ralph/issues');
    mkdirSync(issues, { recursive: true });
    writeFileSync(join(issues, '9.md'), '---\ntitle: Three files\nstate: backlog\n---\n');
    for (const [id, title] of [
      ['1', 'Write one'],
      ['2', 'Write two'],
      ['3', 'Write two again'],
    ] as const)
      writeFileSync(join(issues, `${id}.md`), issue(title));
    const codexEntry = realEntry(codex, world.home, model.url);
    await completeHome(codex, join(world.home, codex.name), model.url);
    world.configure({
      isolation: 'worktree',
      agents: { gemini: realEntry(gemini, world.home, model.url), codex: codexEntry },
      roles: { executor: 'gemini' },
      flow: { agents: { builder: 'codex' }, plan_review: 'auto', auto_merge: true, poll: 1_000 },
      knowledge: { gate: 'never' },
    });
    writeFileSync(join(workspace, '.gitignore'), '.ralph-sessions/\n.ralph/\nthoughts/\n');
    git(workspace, 'add', '.');
    git(workspace, '-c', 'user.name=kim', '-c', 'user.email=kim@host', 'commit', '-qm', 'ignore');
    const run = [
      'run',
      '--issue',
      '9',
      '--headless',
      '--permissions',
      'workspace',
      '--no-discovery',
      '--yes',
    ];
    const stateOf = (id: string): string =>
      /state: (.*)/.exec(readFileSync(join(issues, `${id}.md`), 'utf8'))?.[1] ?? '';
    const held =
      (name: string): (() => boolean) =>
      () =>
        model.requests.some(({ lane: at }) => at === name);

    const first = world.start(...run);
    await expect.poll(held('killed'), { timeout: 300_000, interval: 500 }).toBe(true);
    await expect.poll(held('killed too'), { timeout: 120_000, interval: 500 }).toBe(true);
    expect((await world.start('signal', 'PAUSE').done).code).toBe(0);
    // A person cancels an issue of the second stream meanwhile.
    expect((await world.start('issues', 'move', '3', 'Canceled').done).code).toBe(0);
    first.kill('SIGKILL');
    await first.done;

    const second = world.start(...run);
    await second.waitFor(/\bpaused\b/, 120_000);
    expect((await world.start('signal', 'RESUME').done).code).toBe(0);
    const { code, stdout, stderr } = await second.done;
    expect(code, stdout.slice(-3_000) + stderr).toBe(0);
    expect(['1', '2', '3', '9'].map(stateOf)).toEqual(['done', 'done', 'canceled', 'done']);
    expect(git(workspace, 'show', 'main:one.txt')).toBe('one\n');
    expect(git(workspace, 'show', 'main:two.txt')).toBe('two\n');
    const done = world.events().flatMap((event) => (event.type === 'task.qualified' ? [event['task']] : []));
    expect(new Set(done).size).toBe(done.length);
    expect(done).not.toContain('implement-3_stream');
    for (const id of ['1', '2']) {
      const bodies = readFileSync(join(issues, `${id}.comments.jsonl`), 'utf8')
        .trim()
        .split('\n')
        .map((line) => String(JSON.parse(line).body));
      expect(new Set(bodies).size).toBe(bodies.length);
    }
    expect(model.problems).toEqual([]);
    expect(world.agents()).toEqual([]);
    expect(git(workspace, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(readdirSync(issues).filter((name) => name.includes('lock'))).toEqual([]);
    for (const id of ['1', '2', '3', '9'])
      expect(readFileSync(join(issues, `${id}.md`), 'utf8')).not.toMatch(/^lock:/m);
  },
);
