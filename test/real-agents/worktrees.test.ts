import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { personsState } from '../helpers/changes.ts';
import type { Lane, Part } from '../helpers/model-server/script.ts';
import { git } from '../helpers/repository.ts';
import type { RealAgent } from './agents/real-agent.ts';
import { completeHome } from './agents.ts';
import { createProgramWorld, type ProgramWorld, realEntry } from './program-world.ts';
import { answer } from './story.ts';
import { installedAgents, modelServer } from './world.ts';

const lines = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const comment = 'text.txt:9: say which attempt it was';

/** Three tasks that write the same file side by side; `top` and `other` change the same line. */
const plan = {
  goal: 'Write one file together',
  settings: {
    isolation: 'worktree',
    review: 'person',
    gates: [],
    knowledge: { gate: 'never' },
    planning: { max_cycles: 0 },
    concurrency: { max_parallel_executors: 3 },
    timeouts: { abort_grace: '1s' },
  },
  tasks: ['top', 'end', 'other'].map((id) => ({
    id,
    title: `Write ${id}`,
    objective: `Write the ${id} of text.txt.`,
    files: ['text.txt', `${id}.txt`],
    run: [],
    verify: [`test -e ${id}.txt`],
  })),
};

/** An Executor that changes one line of the shared file and adds a file of its own, by paths relative to where it works. */
const laneOf = (
  agent: RealAgent,
  id: string,
  edit: readonly [string, string],
  more: Partial<Lane> & { readonly hold?: string } = {},
): Lane => {
  const hand = agent.hand;
  const held: readonly Part[] = more.hold === undefined ? [] : [{ hold: more.hold }];
  const outcome = {
    status: 'completed',
    summary: [`Wrote ${id}.`],
    files_modified: ['made-up.txt'],
    criteria: [],
  };
  return {
    name: id,
    when: ['# Executor: one task', `## Task ${id}: Write ${id}`],
    steps: [
      ...hand
        .edit('', 'text.txt', ...edit)
        .map((part, index) => ({ reply: index === 0 ? [...held, part] : [part] })),
      { reply: [hand.create('', `${id}.txt`, edit[1])] },
      { reply: [answer(outcome)] },
    ],
    ...more,
  };
};

/** A person in the middle of something: staged, changed, untracked and stashed work. */
const busyRepository = ({ workspace }: ProgramWorld): void => {
  const write = (path: string, text: string): void => writeFileSync(join(workspace, path), text);
  git(workspace, 'config', 'user.name', 'kim');
  git(workspace, 'config', 'user.email', 'kim@host');
  write('text.txt', `${lines.join('\n')}\n`);
  write('.gitignore', '.ralph-sessions/\n.ralph/\nplan.yaml\n');
  git(workspace, 'add', '.');
  git(workspace, 'commit', '-qm', 'Add the text');
  write('a.txt', 'stashed\n');
  git(workspace, 'stash', '-q');
  write('a.txt', 'staged\n');
  git(workspace, 'add', 'a.txt');
  write('a.txt', 'further\n');
  write('notes.txt', 'mine\n');
  write('plan.yaml', JSON.stringify(plan));
};

/** Everything of the person's, byte for byte; what the session records of itself is ignored by git. */
const standing = ({ workspace }: ProgramWorld) =>
  personsState(workspace, (path) => path.startsWith('.ralph'));

/** For while the session works: git holds `packed-refs.lock` for the moment in which an attempt's branch goes. */
const stands = ({ world, before }: Session) => expect.poll(() => standing(world)).toEqual(before);

/** The session runs while a person gives orders in a second terminal. */
const begin = async (agent: RealAgent) => {
  const world = createProgramWorld();
  busyRepository(world);
  const model = await modelServer(
    laneOf(agent, 'end', ['NINE', 'NINE 2'], {
      name: 'end again',
      when: ['## Task end: Write end', 'Not yet.', comment],
    }),
    laneOf(agent, 'top', ['one', 'ONE'], { hold: 'all' }),
    laneOf(agent, 'end', ['nine', 'NINE'], { hold: 'all' }),
    laneOf(agent, 'other', ['one', 'uno'], { hold: 'all' }),
  );
  const entry = realEntry(agent, world.home, model.url);
  if (agent.name === 'codex') await completeHome(agent, join(world.home, agent.name), model.url);
  world.configure({ agents: { [agent.name]: entry }, roles: { executor: agent.name } });
  const before = standing(world);
  const event = (type: string, about: Readonly<Record<string, string>>) =>
    world
      .events()
      .find((each) => each.type === type && Object.entries(about).every(([key, is]) => each[key] === is));
  const order = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await world.start(...args).done;
    expect(code, stdout + stderr).toBe(0);
    return stdout;
  };
  const asked = async (request: string): Promise<string> => {
    const find = () => event('question.asked', { request });
    await expect.poll(find).toBeDefined();
    return String(find()?.['text']);
  };
  const run = ['run', '--plan', 'plan.yaml', '--permissions', 'workspace', '--screen-reader'];
  return { world, model, before, event, order, asked, program: world.converse(...run) };
};

type Session = Awaited<ReturnType<typeof begin>>;

/** All three work at the same time, each in a directory of its own. */
const workSideBySide = async ({ model, event }: Session): Promise<void> => {
  const ids = ['top', 'end', 'other'];
  const began = await Promise.all(ids.map((id) => model.step(id, 0)));
  const places = ids.map((id) => String(event('worktree.prepared', { task: id })?.['directory']));
  expect(new Set(places).size).toBe(3);
  for (const [index, { whole }] of began.entries())
    expect(places.filter((place) => whole.includes(place))).toEqual([places[index]]);
  model.release('all');
};

/** The first attempt of `end` is sent back, `other` conflicts with `top`, and both are settled. */
const reviewAndResolve = async (session: Session, take: 'task' | 'edited'): Promise<void> => {
  const { order, asked, event } = session;
  await asked('review:end:1');
  expect(await order('diff', 'end')).toContain('+NINE');
  await order('review', 'end', '--reject', 'Not yet.', '--comment', comment);
  await asked('review:top:1');
  await order('review', 'top', '--accept');
  await asked('review:other:1');
  await order('review', 'other', '--accept');
  const conflict = await asked('merge:other:1:1');
  expect(conflict).toContain('other conflicts with top in text.txt');
  await stands(session);
  if (take === 'edited') {
    const options = JSON.stringify(event('question.asked', { request: 'merge:other:1:1' })?.['options']);
    const place = /resolved the conflict in ([^\s"]+)/.exec(options)?.[1] ?? '';
    expect(readFileSync(join(place, 'text.txt'), 'utf8')).toContain('<<<<<<<');
    writeFileSync(join(place, 'text.txt'), ['ONE uno', ...lines.slice(1), ''].join('\n'));
  }
  await order('answer', 'merge:other:1:1', '--option', take);
  await asked('review:end:2');
  await order('review', 'end', '--accept');
  await asked('changes:1:0');
  // Git says which files were changed, not the agent.
  expect(event('attempt.merged', { task: 'end' })?.['files']).toEqual(['end.txt', 'text.txt']);
  await stands(session);
};

/** The work of `end` goes from the session's branch and comes back; returns what the branch holds. */
const undoAndRedo = async ({ world: { workspace }, order }: Session, line: string) => {
  const branch = git(workspace, 'branch', '--list', '--format=%(refname:short)', 'ralph/*').trim();
  const text = (last: string) => [line, ...lines.slice(1, 8), last, ''].join('\n');
  const without = ['.gitignore', 'a.txt', 'other.txt', 'text.txt', 'top.txt'];
  const whole = { text: text('NINE 2'), files: without.toSpliced(2, 0, 'end.txt') };
  expect(contentsOf(workspace, branch)).toEqual(whole);
  expect(await order('undo', 'end', '--yes')).toContain('Undone: end, 2 files');
  expect(contentsOf(workspace, branch)).toEqual({ text: text('nine'), files: without });
  expect(await order('redo', 'end', '--yes')).toContain('Brought back: end, 2 files');
  expect(contentsOf(workspace, branch)).toEqual(whole);
  return whole;
};

const contentsOf = (workspace: string, commit: string) => ({
  text: git(workspace, 'show', `${commit}:text.txt`),
  files: git(workspace, 'ls-tree', '--name-only', commit).trim().split('\n'),
});

describe.each(installedAgents())('$name', (agent) => {
  test('three tasks write one file side by side: a conflict, a rejected line, undo, redo, and the end the person chose', async () => {
    /** One agent's session takes a side and is merged, the other's is resolved by hand and kept. */
    const isMerged = agent.name === 'gemini';
    const session = await begin(agent);
    const { world, model, before, order, program } = session;
    await workSideBySide(session);
    await reviewAndResolve(session, isMerged ? 'task' : 'edited');
    await order('answer', 'changes:1:0', '--option', isMerged ? 'merge' : 'keep');
    const { code, stdout, stderr } = await program.done;
    expect(code, stdout + stderr).toBe(0);
    const whole = await undoAndRedo(session, isMerged ? 'uno' : 'ONE uno');
    if (isMerged) {
      // Only what the tasks wrote came; what the person was in the middle of stands as it was.
      expect(contentsOf(world.workspace, 'main')).toEqual(whole);
      expect(world.read('text.txt')).toBe(whole.text);
      expect(world.read('a.txt')).toBe('further\n');
      expect(git(world.workspace, 'show', ':a.txt')).toBe('staged\n');
      expect(git(world.workspace, 'status', '--porcelain')).toBe('MM a.txt\n?? notes.txt\n');
      expect(git(world.workspace, 'show', 'stash@{0}:a.txt')).toBe('stashed\n');
    } else expect(standing(world)).toEqual(before);
    expect(git(world.workspace, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(world.agents()).toEqual([]);
    expect({ problems: model.problems, left: model.left() }).toEqual({ problems: [], left: [] });
  });
});
