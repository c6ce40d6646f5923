import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFeedback } from '../../src/cli/session/feedback/write-feedback.ts';
import { readSession } from '../../src/cli/session/open-session.ts';
import { createWorld } from '../../src/cli/world.ts';
import { createRealSession } from '../helpers/real-session.ts';
import { workspaceWith } from '../helpers/workspace.ts';

test('two programs that write feedback in the same second both keep theirs', async () => {
  const plan = 'goal: One\ntasks: [{id: one, title: One, run: ["true"]}]\n';
  const { paths, begin } = createRealSession(workspaceWith({}), plan);
  const engine = begin();
  expect(await engine.start()).toBeNull();
  await engine.settled();
  const world = createWorld();
  let rivals = '';
  const mkdir = (path: string): boolean => {
    const made = world.disk.mkdir(path);
    if (rivals === '') {
      rivals = join(path, 'feedbacks.md');
      writeFileSync(rivals, 'theirs');
    }
    return made;
  };
  const session = readSession({ ...world, disk: { ...world.disk, mkdir } }, paths);
  const { file, iteration } = writeFeedback(session, 'critical', ['ours']);
  expect(iteration).toBe(2);
  expect(readFileSync(rivals, 'utf8')).toBe('theirs');
  expect(readFileSync(file, 'utf8')).toContain('**ISS-001**: ours');
});
