import { expect, test } from 'vitest';
import { formatFault } from '../../src/base/fault.ts';
import { Exit } from '../../src/cli/cli.ts';
import { openSession } from '../../src/cli/session/open-session.ts';
import { noteOpened } from '../../src/cli/session/seen-file.ts';
import { createWorld } from '../../src/cli/world.ts';
import { acquireLock, isLock } from '../../src/session/lock.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { sessionFixture } from '../helpers/session-fixture.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';

test('a command in a directory without a session names the directory of the one that is running', () => {
  const world = createWorld();
  const cli = createTestCli({ cwd: tempDir(), env: { XDG_STATE_HOME: tempDir() } });
  const said = (): string => {
    try {
      openSession(cli, undefined);
    } catch (error) {
      if (error instanceof Exit) return formatFault(error.fault);
      throw error;
    }
    throw new Error('a session was found');
  };
  const { workspace, session } = sessionFixture('v2.2');
  const paths = sessionPaths(workspace, session);
  noteOpened(cli, world, paths);
  expect(said()).toContain('start one with `ralph-tui run --plan FILE`');
  const { disk, random, spawn, clock } = world;
  const lock = acquireLock(disk, random, paths, spawn.self, spawn.isAlive, { clock });
  if (!isLock(lock)) throw new Error('the lock is held');
  expect(said()).toContain(`session ${session} is running in another directory: first \`cd ${workspace}\``);
  lock.release();
  expect(said()).toContain('start one with');
});
