import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBackends } from '../../../src/agents/backends/index.io.ts';
import { profiles } from '../../../src/agents/profiles/index.ts';
import { createClock } from '../../../src/base/clock.io.ts';
import { createDisk } from '../../../src/base/disk.io.ts';
import { createSpawn } from '../../../src/base/process/spawn.io.ts';
import { createRandom } from '../../../src/base/random.io.ts';
import { briefOf, taskOf } from '../../helpers/role-port.ts';
import { tempDir } from '../../helpers/temp-dir.ts';
import { bench } from '../../helpers/worker-bench.ts';

test.each(profiles.map(({ name }) => name))(
  'the variables of an entry for %s reach its process',
  async (name) => {
    const workspace = tempDir();
    const entry = {
      type: 'acp',
      profile: name,
      command: ['sh', '-c', 'cat /proc/self/environ > environment.txt'],
      env: {
        MY_SERVER: 'https://models.example',
        ...(name === 'gemini' ? { GEMINI_CLI_NO_RELAUNCH: 'false' } : {}),
      },
      pass_env: ['MY_KEY'],
    };
    const deps = {
      disk: createDisk(),
      spawn: createSpawn(),
      clock: createClock(),
      random: createRandom(),
      version: 'test',
    };
    const env = { PATH: process.env['PATH'], MY_KEY: 'k', OTHER: 'o' };
    const backend = createBackends({ ...deps, env }, { [name]: entry }).find((each) => each.name === name);
    if (backend === undefined) throw new Error(`no backend for ${name}`);
    const brief = briefOf({ workspace, sessionDirectory: tempDir(), task: taskOf({}), attempt: 1 });
    const at = bench(backend, brief, []);
    expect(await at.turn('implement')).not.toMatchObject({ kind: 'answered' });
    const got = readFileSync(join(workspace, 'environment.txt'), 'utf8').split('\0');
    expect(got).toEqual(expect.arrayContaining(['MY_SERVER=https://models.example', 'MY_KEY=k']));
    expect(got).not.toContain('OTHER=o');
    if (name === 'gemini') expect(got).toContain('GEMINI_CLI_NO_RELAUNCH=false');
  },
);
