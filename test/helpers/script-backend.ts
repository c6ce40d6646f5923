import { createScriptBackend } from '../../src/agents/backends/script/create-script-backend.ts';
import type { Backend } from '../../src/agents/port.ts';
import { createClock } from '../../src/base/clock.io.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import { createRedact } from '../../src/base/redact.ts';
import type { Command } from '../../src/tasks/task.ts';

/** The scripted agent on the real disk with real processes. */
export const scriptBackend = (env: Readonly<Record<string, string>> = {}): Backend =>
  createScriptBackend({
    disk: createDisk(),
    spawn: createSpawn(),
    clock: createClock(),
    random: createRandom(),
    env: { ...process.env, ...env },
    redact: createRedact(),
  });

/** Commands as a plan gives them: a string is a shell line, an array an argv. */
export const commands = (...lines: readonly (string | readonly string[] | Command)[]): readonly Command[] =>
  lines.map((line) => (typeof line === 'string' ? { cmd: line } : 'cmd' in line ? line : { cmd: line }));
