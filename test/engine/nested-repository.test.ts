import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { summary } from '../../src/cli/report/summary.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { changesWorld, personGit } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createRealSession } from '../helpers/real-session.ts';

const template = templateOfFile();

const plan = `goal: A tool
tasks:
  - {id: tool, title: Tool, files: [tool/], run: ['git init -q tool; echo w > tool/work.txt; echo p > plain.txt']}
`;

const settings = {
  isolation: 'worktree',
  changes: { at_end: 'keep' },
  knowledge: { ...defaultSettings.knowledge, gate: 'never' },
} as const;

/** Runs until the merge waits for a person. */
const asked = async () => {
  const world = changesWorld(template);
  const session = createRealSession(world.repo, plan, {
    changes: world.changes,
    settings,
    isAgreed: () => true,
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  expect(await engine.settled()).toMatchObject({ exitCode: 3 });
  const [prepared] = session.all('worktree.prepared');
  const place = prepared?.directory ?? '';
  const [question] = session.all('question.asked');
  expect(question?.text).toContain(
    `tool was not merged: tool is a separate git repository, whose files a merge would leave behind. They stay in ${place}.`,
  );
  const answer = async () => {
    session.publish({ type: 'ANSWER', request: question?.request ?? '', option: 'merge', iteration: 1 });
    const next = session.resume();
    expect(await next.start()).toBeNull();
    const end = await next.settled();
    expect(end).toMatchObject({ exitCode: 0 });
    return summary({ paths: session.paths, flags: {} }, end, next.state(), null);
  };
  const merged = () =>
    personGit(world.repo, 'ls-tree', '-r', '--name-only', 'ralph/260215-101500').trim().split('\n');
  return { world, session, place, answer, merged };
};

test('who merges it all the same accepts what the question said, and no hook that came meanwhile', async () => {
  const { world, session, answer, merged } = await asked();
  writeFileSync(join(world.repo, '.git/hooks/post-merge'), 'evil');
  await expect(answer()).rejects.toThrow();
  expect(session.all('question.asked').at(-1)?.text).toContain('the hook post-merge is new');
  expect(merged()).not.toContain('plain.txt');
});

test('a task that makes a git repository is asked about, and its worktree stays when the rest is merged', async () => {
  const { session, place, answer, merged } = await asked();
  expect(await answer()).toContain(
    `  kept     ${place} is kept: it contains the git repository tool, whose files are not in any commit here; move what you need out of the worktree`,
  );
  expect(merged()).toContain('plain.txt');
  expect(readFileSync(join(place, 'tool/work.txt'), 'utf8')).toBe('w\n');
  expect(session.all('problem.found').map(({ fault }) => fault.what)).toContain(
    `${place} is kept: it contains the git repository tool, whose files are not in any commit here`,
  );
});

test('its files are merged when it is no repository any more', async () => {
  const { place, answer, merged } = await asked();
  rmSync(join(place, 'tool/.git'), { recursive: true });
  expect(await answer()).not.toContain('kept');
  expect(merged()).toEqual(expect.arrayContaining(['plain.txt', 'tool/work.txt']));
  expect(existsSync(place)).toBe(false);
});
