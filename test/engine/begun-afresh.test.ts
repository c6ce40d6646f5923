import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultSettings } from '../../src/session/settings.ts';
import { changesWorld, personGit } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createRealSession } from '../helpers/real-session.ts';

const template = templateOfFile();

test('commands that failed half way run again on a fresh worktree, and what they left is named and kept', async () => {
  const world = changesWorld(template);
  const plan = `goal: Move a file
tasks:
  - {id: move, title: Move, files: [z.txt], run: ['git mv a.txt z.txt', 'echo $RALPH_ATTEMPT > try.txt', 'test $RALPH_ATTEMPT = 2']}
`;
  const session = createRealSession(world.repo, plan, {
    changes: world.changes,
    settings: {
      isolation: 'worktree',
      changes: { at_end: 'keep' },
      knowledge: { ...defaultSettings.knowledge, gate: 'never' },
    },
  });
  const engine = session.begin();
  expect(await engine.start()).toBeNull();
  await session.event('worktree.prepared', ({ attempt }) => attempt === 2);
  const left = session.all('worktree.prepared')[0]?.directory ?? '';
  expect(readFileSync(join(left, 'try.txt'), 'utf8')).toBe('1\n');
  expect(await engine.settled()).toMatchObject({ exitCode: 0 });
  expect(session.all('problem.found').map(({ fault }) => fault)).toContainEqual({
    code: 'begun-afresh',
    what: 'move begins afresh, for its commands would run on what attempt 1 left half done',
    mend: `that is in ${left} until move is done; \`ralph-tui diff move --attempt 1\` shows it`,
  });
  const branch = 'ralph/260215-101500';
  expect(personGit(world.repo, 'diff', '--name-status', '-M', 'main', branch)).toBe(
    'A\ttry.txt\nR100\ta.txt\tz.txt\n',
  );
  expect(personGit(world.repo, 'show', `refs/ralph/260215-101500/move/1/after:try.txt`)).toBe('1\n');
});
