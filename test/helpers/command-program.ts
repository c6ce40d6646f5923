import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBackends } from '../../src/agents/backends/index.io.ts';
import type { Backend, Brief } from '../../src/agents/port.ts';
import { createClock } from '../../src/base/clock.io.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import { createRedact } from '../../src/base/redact.ts';
import { briefOf, taskOf } from './role-port.ts';
import { tempDir } from './temp-dir.ts';

/** A program that does `script` as an agent of the type `command`, and the brief of one task in a workspace of its own. */
export const commandProgram = (
  script: string,
  agent: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv = process.env,
): { readonly backend: Backend; readonly brief: Brief; readonly workspace: string } => {
  const workspace = tempDir();
  const program = join(workspace, 'agent.sh');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  const deps = {
    disk: createDisk(),
    spawn: createSpawn(),
    clock: createClock(),
    random: createRandom(),
    env,
    redact: createRedact(),
  };
  const agents = { mine: { type: 'command', command: [program], ...agent } };
  const backend = createBackends(deps, agents).find(({ name }) => name === 'mine');
  if (!backend) throw new Error('no backend');
  const sessionDirectory = join(workspace, '.ralph-sessions/260215-101500');
  const brief = briefOf({ workspace, sessionDirectory, task: taskOf({ files: ['a.txt'] }), attempt: 1 });
  return { backend, brief, workspace };
};
