import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createClock } from '../../src/base/clock.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import type { SpawnCommand } from '../../src/base/process/spawn.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createSimulatedSpawn, type SimulatedProgram } from '../helpers/simulated-spawn.ts';
import { tempDir } from '../helpers/temp-dir.ts';
import { behaviours, checkSpawn } from './spawn-conformance.ts';

const ready = [{ text: 'ready\n' }];
const scripts: Readonly<Record<string, SimulatedProgram>> = {
  [behaviours.prints]: { output: [{ text: 'out\n' }, { text: 'err\n', stream: 'stderr' }] },
  [behaviours.fails]: { exit: 3 },
  [behaviours.dies]: { exit: { signal: 'SIGKILL' } },
  [behaviours.runs]: { output: ready, runsMs: 60_000 },
  [behaviours['ignores TERM']]: { output: ready, runsMs: 'forever', ignoresTerm: true },
  [behaviours['leaves a survivor']]: { output: ready, runsMs: 60_000, survivors: 1 },
};

const simulated = () => {
  const clock = createManualClock();
  const spawn = createSimulatedSpawn({
    clock,
    program: ({ command }) =>
      typeof command === 'string'
        ? (scripts[command] ?? {})
        : { notStarted: `${command[0]}: command not found` },
  });
  /** Runs timer after timer until the promise has settled. */
  const settle = async <T>(promise: Promise<T>): Promise<T> => {
    let settled = false;
    void promise.finally(() => {
      settled = true;
    });
    await clock.advanceAsync(0);
    while (!settled) await clock.advanceAsync(clock.untilNext() ?? 0);
    return promise;
  };
  return { clock, spawn, cwd: '/', settle };
};

describe('simulated processes', () => {
  checkSpawn(simulated);

  test('outlive the program that started them, which then hears no more of them', async () => {
    const { clock, spawn } = simulated();
    const heard: string[] = [];
    const command: SpawnCommand = { command: behaviours.runs, cwd: '/', env: {}, marker: 's/1' };
    const before = spawn.self;
    spawn.start(command, { output: () => heard.push('output') });
    spawn.restart();
    await clock.advanceAsync(10);
    expect(heard).toEqual([]);
    expect(spawn.running()).toHaveLength(1);
    expect(spawn.isAlive(before)).toBe('dead');
    expect((await spawn.stopMarked(['s/1'], 0)).stopped).toHaveLength(1);
    expect(spawn.running()).toEqual([]);
  });

  test('do what they do at their end unless the machine went down before it', async () => {
    const clock = createManualClock();
    const done: string[] = [];
    const spawn = createSimulatedSpawn({
      clock,
      program: ({ command }) => ({ runsMs: 1_000, effect: () => void done.push(String(command)) }),
    });
    const start = (command: string) =>
      spawn.start({ command, cwd: '/', env: {}, marker: command }, { output: () => {} });
    start('before the reboot');
    await clock.advanceAsync(500);
    spawn.reboot();
    start('before the restart');
    await clock.advanceAsync(100);
    spawn.restart();
    await clock.advanceAsync(1_000);
    expect(done).toEqual(['before the restart']);
    start('before the move');
    spawn.elsewhere();
    spawn.restart();
    await clock.advanceAsync(1_000);
    expect(done).toEqual(['before the restart']);
  });

  test('that cannot be shown gone are reported as unverified', async () => {
    const clock = createManualClock();
    const spawn = createSimulatedSpawn({ clock, program: () => ({ runsMs: 'forever', unverifiable: 1 }) });
    const child = spawn.start({ command: 'x', cwd: '/', env: {}, marker: 's/1' }, { output: () => {} });
    const report = child.stop(100);
    await clock.advanceAsync(100);
    expect((await report).stopped).toHaveLength(1);
    expect((await report).unverified).toHaveLength(1);
  });
});

describe('real processes', () => {
  checkSpawn(() => ({ spawn: createSpawn(), cwd: tempDir(), settle: (promise) => promise }));

  const run = async (command: SpawnCommand['command'], more: Partial<SpawnCommand> = {}) => {
    let text = '';
    const env = { PATH: process.env['PATH'] ?? '' };
    const marker = `real-${process.pid}/${Math.random()}`;
    const child = createSpawn().start(
      { command, cwd: tempDir(), env, marker, ...more },
      {
        output: (bytes) => {
          text += new TextDecoder().decode(bytes);
        },
      },
    );
    return { exit: await child.exit, text, marker };
  };

  test('get exactly the environment they are given, and the marker', async () => {
    const { text, marker } = await run(['env'], { env: { PATH: process.env['PATH'] ?? '', A: 'b' } });
    expect(text.trim().split('\n').sort()).toEqual(
      [`A=b`, `PATH=${process.env['PATH']}`, `RALPH_RUN=${marker}`].sort(),
    );
  });

  test('get arguments untouched by any shell', async () => {
    const { text } = await run(['printf', '%s\\n', '-rf', '; rm -rf /', '$(id)', '', 'a b', '*']);
    expect(text).toBe('-rf\n; rm -rf /\n$(id)\n\na b\n*\n');
  });

  test('may be shell lines that begin with a dash', async () => {
    const { exit, text } = await run('-x; echo after');
    expect(exit).toEqual({ kind: 'exited', code: 0 });
    expect(text).toContain('after');
  });

  test('read what they are given on stdin, and otherwise find it closed', async () => {
    expect((await run(['cat'], { input: 'grüße' })).text).toBe('grüße');
    expect((await run(['cat'])).exit).toEqual({ kind: 'exited', code: 0 });
  });

  test('that end before they have read their input are no error of ours', async () => {
    expect((await run('exec 0<&-; exit 4', { input: 'x'.repeat(2_000_000) })).exit).toEqual({
      kind: 'exited',
      code: 4,
    });
  });

  test('do not start where there is no directory, or from what is no program', async () => {
    const file = `${tempDir()}/x`;
    expect((await run('true', { cwd: file })).exit).toEqual({
      kind: 'not-started',
      reason: `the working directory ${file} does not exist or cannot be entered`,
    });
    expect((await run([tempDir()])).exit).toMatchObject({ kind: 'not-started' });
    expect((await run([''])).exit).toMatchObject({ kind: 'not-started' });
    expect((await run(['echo', 'x'.repeat(3_000_000)])).exit).toMatchObject({
      kind: 'not-started',
      reason: expect.stringContaining('longer than the system allows'),
    });
  });

  test('that leave something behind with their pipes end all the same', async () => {
    const { exit, marker } = await run('sleep 60 & echo started');
    expect(exit).toEqual({ kind: 'exited', code: 0 });
    expect((await createSpawn().stopMarked([marker], 1_000)).stopped).toHaveLength(1);
  });

  test('that ended while this program did not run are told as they ended: they are not out of time, and what they printed late is not lost', async () => {
    const real = createClock();
    /** Does nothing at all for so long, as when it is stopped or the machine has no time for it. */
    const stand = (ms: number): void => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    };
    let stalls = 0;
    const clock = {
      ...real,
      after: (ms: number, work: () => void) => {
        const cancel = real.after(ms, work);
        // Right behind what is armed first: the time limit when it starts, and the wait for what still prints when it has ended.
        if (ms > 0 && stalls < 2) stand(700);
        if (ms > 0) stalls += 1;
        return cancel;
      },
    };
    const start = (command: string, timeoutMs?: number) => {
      let output = '';
      const env = { PATH: process.env['PATH'] ?? '' };
      const marker = `real-${process.pid}/late-${command.length}`;
      const child = createSpawn(clock).start(
        { command, cwd: tempDir(), env, marker, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
        {
          output: (bytes) => {
            output += new TextDecoder().decode(bytes);
          },
        },
      );
      return child.exit.then((exit) => ({ exit, output }));
    };
    const exit = { kind: 'exited', code: 0 };
    expect(await start('echo in time', 500)).toEqual({ exit, output: 'in time\n' });
    stalls = 0;
    expect(await start('(sleep 0.2; echo late) & echo first')).toEqual({ exit, output: 'first\nlate\n' });
  });

  test('are given their grace although the machine slept in it: an hour on the clock is none for who slept along', async () => {
    const real = createClock();
    let looks = 0;
    const clock = { ...real, monotonic: () => real.monotonic() + (looks++ > 0 ? 3_600_000 : 0) };
    const cwd = tempDir();
    const marker = `real-${process.pid}/grace`;
    const env = { PATH: process.env['PATH'] ?? '' };
    const command = `trap 'sleep 0.3; echo politely > ended; exit 0' TERM; : > ready; while :; do sleep 0.05; done`;
    const child = createSpawn(clock).start({ command, cwd, env, marker }, { output: () => {} });
    while (!existsSync(`${cwd}/ready`)) await new Promise(setImmediate);
    expect(await createSpawn(clock).stopMarked([marker], 10_000)).toMatchObject({ unverified: [] });
    await child.exit;
    expect(readFileSync(`${cwd}/ended`, 'utf8')).toBe('politely\n');
  });

  test('that fork twice, change session, ignore TERM or throw their environment away are verified gone', async () => {
    const lines = [
      `setsid sh -c 'setsid sh -c "trap \\"\\" TERM; : > a; while :; do sleep 0.1; done" &' &`,
      `env -i sh -c 'sleep 60 & : > b; wait' &`,
      `(sh -c 'sleep 60 & : > c; wait' &)`,
      'while ! [ -e a -a -e b -a -e c ]; do sleep 0.01; done',
      'sleep 60 & echo ready; wait',
    ];
    let started: () => void = () => {};
    const isReady = new Promise<void>((resolve) => {
      started = resolve;
    });
    const marker = `real-${process.pid}/escape`;
    const spawn = createSpawn();
    const child = spawn.start(
      { command: lines.join('\n'), cwd: tempDir(), env: { PATH: process.env['PATH'] ?? '' }, marker },
      { output: () => started() },
    );
    await isReady;
    const report = await child.stop(300);
    expect(report.stopped.length).toBeGreaterThanOrEqual(6);
    expect(report.unverified).toEqual([]);
    for (const pid of report.stopped) expect(stillRuns(pid)).toBe(false);
  });

  test('that print for ever do not fill the memory', async () => {
    const before = process.memoryUsage.rss();
    let bytes = 0;
    const child = createSpawn().start(
      {
        command: ['yes'],
        cwd: '/',
        env: { PATH: process.env['PATH'] ?? '' },
        marker: 'real/yes',
        timeoutMs: 700,
      },
      {
        output: (chunk) => {
          bytes += chunk.length;
        },
      },
    );
    expect(await child.exit).toEqual({ kind: 'timed-out' });
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150_000_000);
  });

  test('that print 157 MB in one line are passed on in pieces', async () => {
    const before = process.memoryUsage.rss();
    let bytes = 0;
    let largest = 0;
    const child = createSpawn().start(
      {
        command: 'head -c 157000000 /dev/zero | tr "\\0" x',
        cwd: '/',
        env: { PATH: process.env['PATH'] ?? '' },
        marker: 'real/line',
      },
      {
        output: (chunk) => {
          bytes += chunk.length;
          largest = Math.max(largest, chunk.length);
        },
      },
    );
    expect(await child.exit).toEqual({ kind: 'exited', code: 0 });
    expect(bytes).toBe(157_000_000);
    expect(largest).toBeLessThanOrEqual(1_048_576);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150_000_000);
  });

  test('a pid that was given to another process is not the one we knew', () => {
    const { self, isAlive } = createSpawn();
    const ended = spawnSync('true').pid;
    expect(isAlive({ ...self, pid: ended })).toBe('dead');
    expect(isAlive({ ...self, pid: 1 })).toBe('dead');
  });
});

const stillRuns = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};
