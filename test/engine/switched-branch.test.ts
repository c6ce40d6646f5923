import { expect, test } from 'vitest';
import { defaultSettings } from '../../src/session/settings.ts';
import { changesWorld, personGit } from '../helpers/changes.ts';
import { templateOfFile } from '../helpers/changes-template.ts';
import { createRealSession } from '../helpers/real-session.ts';

const template = templateOfFile();

test('a branch that a person switched to meanwhile gets nothing unasked, is named, and the exit code says so', async () => {
  const world = changesWorld(template);
  const plan = `goal: Write
tasks: [{id: write, title: Write, files: [z.txt], run: ['echo z > z.txt']}]
`;
  const session = createRealSession(world.repo, plan, {
    changes: world.changes,
    settings: {
      isolation: 'worktree',
      changes: { at_end: 'merge' },
      knowledge: { ...defaultSettings.knowledge, gate: 'never' },
    },
  });
  const engine = session.begin();
  const switched = session
    .event('worktree.prepared')
    .then(() => personGit(world.repo, 'switch', '-q', '-c', 'side'));
  expect(await engine.start()).toBeNull();
  await switched;
  const refused =
    'side is checked out, but the session began on main: switch back, or choose again to take side.';
  expect(await engine.settled()).toMatchObject({
    exitCode: 1,
    status: 'completed',
    reason: `changes stay on ralph/260215-101500: ${refused}`,
  });
  expect(session.all('finish.refused')).toMatchObject([{ reason: refused }]);
  expect(personGit(world.repo, 'ls-tree', '--name-only', 'side')).not.toContain('z.txt');
});
