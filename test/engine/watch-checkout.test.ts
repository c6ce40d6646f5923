import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Backend } from '../../src/agents/port.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { readBytes } from '../../src/base/replace-file.ts';
import { trackedPaths } from '../../src/engine/guards/git-index.ts';
import { changesWorld, personGit } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createRealSession } from '../helpers/real-session.ts';

const template = templateOfFile();

/** What was said of a session whose agent does `work` in a worktree. */
const saidOf = async (isolation: 'worktree' | 'shared', work: (checkout: string, own: string) => void) => {
  const world = changesWorld(template);
  const agent: Backend = {
    name: 'mine',
    label: 'an agent',
    model: { tools: false },
    start: (brief) => ({
      turn: async () => {
        work(world.repo, brief.workspace);
        writeFileSync(join(brief.workspace, 'new.txt'), 'new');
        return { kind: 'answered', answer: { status: 'completed' } } as const;
      },
      stop: async () => {},
    }),
  };
  const session = createRealSession(
    world.repo,
    'goal: Mend\ntasks:\n  - {id: one, title: One, files: [new.txt]}\n',
    {
      changes: world.changes,
      backends: [agent],
      settings: {
        isolation,
        roles: { executor: 'mine' },
        planning: { max_cycles: 0 },
        retries: { max_attempts: 1, backoff: [0] },
      },
    },
  );
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await engine.settled();
  expect(session.all('task.qualified')).toHaveLength(1);
  return {
    problems: session.all('problem.found').map(({ fault }) => fault.what),
    findings: session.all('finding.noted').map(({ text }) => text),
  };
};

test('files of the checkout that change while an agent works in a worktree are told, and nothing else', async () => {
  const { problems, findings } = await saidOf('worktree', (checkout, own) => {
    writeFileSync(join(checkout, 'a.txt'), 'by the agent, or by the person');
    rmSync(join(checkout, 'src/c.txt'));
    writeFileSync(join(own, 'b.txt'), 'work');
  });
  expect(problems).toEqual([
    expect.stringMatching(
      /^a\.txt and src\/c\.txt in your checkout changed while Executor-\d+ worked in a worktree$/,
    ),
  ]);
  expect(findings).toEqual(['your checkout: a.txt and src/c.txt changed in the meantime']);
});

test('a file that git no longer tracks has not changed by that', async () => {
  const untracked = await saidOf('worktree', (checkout) =>
    personGit(checkout, 'rm', '-q', '--cached', 'b.txt'),
  );
  expect(untracked).toEqual({ problems: [], findings: [] });
});

test('an agent that stays in its worktree, or works in a shared workspace, leaves nothing to tell', async () => {
  expect(await saidOf('worktree', () => {})).toEqual({ problems: [], findings: [] });
  const shared = await saidOf('shared', (checkout) => writeFileSync(join(checkout, 'a.txt'), 'work'));
  expect(shared.findings).toEqual([]);
});

test.each([2, 3, 4])('the names of an index of version %i are those that git lists', (version) => {
  const { repo } = changesWorld(template);
  for (const name of ['ä ö.txt', 'src/c', 'src/cc.txt', `src/${'d'.repeat(200)}.txt`, 'later'])
    writeFileSync(join(repo, name), name);
  personGit(repo, 'add', '.');
  if (version > 2) personGit(repo, 'rm', '-q', '--cached', 'later');
  if (version > 2) personGit(repo, 'add', '--intent-to-add', 'later');
  personGit(repo, 'update-index', '--index-version', String(version));
  const bytes = readBytes(createDisk(), join(repo, '.git/index')) ?? new Uint8Array();
  const listed = personGit(repo, 'ls-files', '-z').split('\0').slice(0, -1);
  expect(trackedPaths(bytes, 20, 100)).toEqual(listed);
  expect(trackedPaths(bytes, 20, 2)).toEqual(listed.slice(0, 2));
  for (let length = 0; length < bytes.length; length += 7)
    expect(trackedPaths(bytes.subarray(0, length), 20, 100).length).toBeLessThanOrEqual(listed.length);
});
