import { chmodSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createClock } from '../../src/base/clock.io.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import type { Carrier } from '../../src/runners/carriers/carrier.ts';
import { createContainerCarrier } from '../../src/runners/carriers/container.ts';
import { createSandboxCarrier } from '../../src/runners/carriers/sandbox.io.ts';
import { createSshCarrier } from '../../src/runners/carriers/ssh.ts';
import { canFence } from '../helpers/can-fence.ts';
import { canSsh, startSshMachine } from '../helpers/ssh-machine.ts';
import { makeTempDir, removeTempDir } from '../helpers/temp-dir.ts';
import { writeIn } from '../helpers/workspace.ts';
import { conforms, type PortPlace } from './conformance.ts';
import { obedient } from './obedient.ts';
import { hostOf } from './remote-session.ts';

/** The way to this machine's copy of the test's runner, opened once: its tests are those of the port, not of a start. */
const over = (name: string, open: (directory: string) => Carrier | Promise<Carrier>): void => {
  let place: Promise<PortPlace> | null = null;
  conforms(name, () => {
    place ??= (async (): Promise<PortPlace> => {
      const directory = makeTempDir();
      ends.push(() => removeTempDir(directory));
      writeIn(directory, 'program/ralph-tui.js', `import(${JSON.stringify(runner)});\n`);
      const host = hostOf(createClock(), await open(directory));
      ends.push(() => host.runner.close());
      return { backend: host.place(obedient), wait: (promise) => promise };
    })();
    return place;
  });
};

const ends: (() => void)[] = [];
afterAll(() => {
  for (const end of ends.toReversed()) end();
});

const root = join(import.meta.dirname, '../..');
const runner = join(import.meta.dirname, 'obedient-runner.ts');
const ports = { spawn: createSpawn(), clock: createClock(), cwd: '/' };

// In CI a missing program is a failure, not a reason to skip.
const mayRun = (isThere: boolean, what: string): boolean => {
  if (!isThere) process.stdout.write(`skipped: ${what}\n`);
  return process.env['CI'] !== undefined || isThere;
};

if (mayRun(canSsh(), 'the port over ssh (openssh-server is not installed)'))
  over('ssh', async (directory) => {
    const machine = await startSshMachine((end) => void ends.push(end));
    const env = { PATH: `${machine.path}:${process.env['PATH']}` };
    const program = join(directory, 'program/ralph-tui.js');
    const command = ['env', `OBEDIENT_STATE=${directory}/state`, process.execPath, program];
    return createSshCarrier({ ...ports, env }, { name: 'gpu', alias: 'gpu1', command, version: '0' });
  });

if (mayRun(canFence(), 'the port over a fence (bubblewrap is not installed, or may not make namespaces)'))
  over('bwrap', (directory) =>
    createSandboxCarrier(
      {
        ...ports,
        disk: createDisk(),
        random: createRandom(),
        machine: hostname(),
        directory: join(directory, 'fences'),
        work: { directory: join(directory, 'work'), session: directory },
      },
      {
        name: 'jail',
        node: process.execPath,
        program: join(directory, 'program'),
        programs: [],
        tools: [root],
        network: 'none',
        home: directory,
        path: process.env['PATH'],
        logins: [],
        hosts: [],
        env: {},
      },
    ),
  );

over('a container', (directory) => {
  const bin = join(directory, 'bin');
  const program = join(directory, 'program');
  // What podman makes of its argv is podman's: this one only starts what was asked for.
  writeIn(bin, 'podman', `#!/bin/sh\nexec "${process.execPath}" "${program}/ralph-tui.js"\n`);
  chmodSync(join(bin, 'podman'), 0o755);
  const env = { PATH: `${bin}:${process.env['PATH']}`, OBEDIENT_STATE: join(directory, 'state') };
  return createContainerCarrier(
    { ...ports, env },
    {
      name: 'box',
      engine: 'podman',
      image: 'x',
      program,
      memory: '1g',
      pids: 64,
      network: 'none',
      variables: [],
    },
  );
});
