import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDisk } from '../../../src/base/disk.io.ts';
import { listProcesses } from '../../../src/base/process/process-table.io.ts';
import { createSpawn } from '../../../src/base/process/spawn.io.ts';
import { controlChanges, gitWithHead, readControlFiles } from '../../../src/engine/guards/control-files.ts';
import { inWorkspace } from '../live-session.ts';
import { type Row, sampleTurns, turnsRow } from '../measure.ts';

const turns = 40;

/** A turn compares what git would run at its end, after the sweep, before the snapshot and before the commit. */
const looks = 4;

/** What the end of an agent's turn costs: one look for survivors, and the looks at what git would run. */
export const sweep = (): Promise<readonly Row[]> =>
  inWorkspace(async (workspace) => {
    const disk = createDisk();
    const spawn = createSpawn();
    const hooks = join(workspace, '.git/hooks');
    mkdirSync(hooks, { recursive: true });
    mkdirSync(join(workspace, '.git/info'), { recursive: true });
    writeFileSync(join(workspace, '.git/HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(workspace, '.git/config'), '[core]\n\tbare = false\n'.repeat(20));
    for (let hook = 0; hook < 14; hook += 1)
      writeFileSync(join(hooks, `hook-${hook}.sample`), '#!/bin/sh\n'.repeat(200));
    const before = readControlFiles(disk, workspace);
    const files = [...readdirSync(hooks).map((name) => join(hooks, name)), join(workspace, '.git/config')];
    const measured = sampleTurns(
      turns,
      () => {
        spawn.survivors('session/Executor-1', workspace);
        for (let look = 0; look < looks; look += 1) {
          gitWithHead(disk, workspace);
          controlChanges(before, readControlFiles(disk, workspace, before));
        }
      },
      () => {
        listProcesses();
        for (let look = 0; look < looks; look += 1) for (const file of files) readFileSync(file);
      },
    );
    const base = `the list of ${listProcesses().length} processes, and those files read`;
    return [turnsRow("the sweep at the end of an agent's turn", base, 3, measured)];
  });
