import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionChoices } from '../../src/cli/screen/start-screen.ts';
import { noteOpened } from '../../src/cli/session/seen-file.ts';
import { createWorld } from '../../src/cli/world.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { sessionFixture } from '../helpers/session-fixture.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { createTestCli } from '../helpers/test-cli.ts';

test('the picker lists the sessions here first, then those of other workspaces, the one that moved last on top', () => {
  const world = createWorld();
  const cli = createTestCli({ env: { XDG_STATE_HOME: tempDir() } });
  const place = (hoursAgo: number): string => {
    const { workspace, session } = sessionFixture('v2.2');
    const { directory, metadata } = sessionPaths(workspace, session);
    const at = Date.now() / 1_000 - hoursAgo * 3_600;
    for (const path of [metadata, join(directory, 'iterations/2/progress.md'), directory])
      utimesSync(path, at, at);
    noteOpened(cli, world, sessionPaths(workspace, session));
    return workspace;
  };
  const here = place(30);
  const others = [3, 1, 20, 2].map((hours) => ({ hours, workspace: place(hours) }));
  const sorted = others.toSorted((a, b) => a.hours - b.hours).map(({ workspace }) => workspace);
  const places = sessionChoices(cli, world, [here], null).map(({ workspace }) => workspace);
  expect(places).toEqual([here, ...sorted]);
});
