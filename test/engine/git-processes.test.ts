import { expect, test } from 'vitest';
import { changesWorld } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { countingGit } from '../helpers/counting-git.ts';
import { createRealSession } from '../helpers/real-session.ts';

const template = templateOfFile();

const few = 2;
const many = 8;

/** The processes of git that a session of so many tasks starts, each task with one new file. */
const processesOf = async (isolation: 'shared' | 'worktree', tasks: number): Promise<readonly string[]> => {
  const list = Array.from(
    { length: tasks },
    (_, at) => `  - {id: t${at}, title: Task ${at}, files: [f${at}.txt], run: [[touch, f${at}.txt]]}`,
  );
  let commands = (): readonly string[] => [];
  const world = changesWorld(template, (ports) => {
    const counting = countingGit(ports.root.replace(/\/state\/worktrees$/, ''));
    commands = counting.commands;
    return { ...ports, git: counting.git };
  });
  const session = createRealSession(world.repo, `goal: Count\ntasks:\n${list.join('\n')}\n`, {
    changes: world.changes,
    settings: { isolation },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await engine.settled()).toMatchObject({ exitCode: 0 });
  return commands();
};

test.each([
  ['shared', 4],
  ['worktree', 10],
] as const)(
  'a task of a session whose tasks are %s costs at most %i processes of git',
  async (isolation, most) => {
    const small = await processesOf(isolation, few);
    const large = await processesOf(isolation, many);
    const each = (large.length - small.length) / (many - few);
    expect(each, large.join('\n')).toBeLessThanOrEqual(most);
  },
);
