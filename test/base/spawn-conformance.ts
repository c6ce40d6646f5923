import { expect, test } from 'vitest';
import type { Child, Spawn, SpawnCommand } from '../../src/base/process/spawn.ts';

/** What both kinds of `Spawn` are asked to run: the real one as a shell line, the simulated one as a script of the same behaviour. */
export const behaviours = {
  prints: 'echo out; echo err >&2',
  fails: 'exit 3',
  dies: 'kill -9 $$',
  runs: 'echo ready; sleep 60',
  'ignores TERM': "trap '' TERM; echo ready; while :; do sleep 0.05; done",
  'leaves a survivor': 'setsid sleep 60 >/dev/null 2>&1 & echo ready; sleep 60',
} as const;

export interface SpawnUnderTest {
  readonly spawn: Spawn;
  readonly cwd: string;
  /** Lets time pass until the promise settles. */
  readonly settle: <T>(promise: Promise<T>) => Promise<T>;
}

let markers = 0;

/** Every promise of `Spawn` that both can show; what only real processes can do is tested beside it. */
export const checkSpawn = (make: () => SpawnUnderTest): void => {
  const setup = () => {
    const { spawn, cwd, settle } = make();
    const begin = (command: SpawnCommand['command'], more: Partial<SpawnCommand> = {}) => {
      markers += 1;
      const marker = `conformance-${process.pid}/${markers}`;
      const output = { stdout: '', stderr: '' };
      const pids: number[] = [];
      let ready: () => void = () => {};
      const isReady = new Promise<void>((resolve) => {
        ready = resolve;
      });
      const env = { PATH: process.env['PATH'] ?? '' };
      const child: Child = spawn.start(
        { command, cwd, env, marker, ...more },
        {
          started: ({ pid }) => pids.push(pid),
          output: (bytes, stream) => {
            output[stream] += new TextDecoder().decode(bytes);
            ready();
          },
        },
      );
      return { child, output, pids, marker, isReady: () => settle(isReady) };
    };
    return { spawn, settle, begin };
  };

  test('a program ends with its code, and its output arrives apart by stream', async () => {
    const { begin, settle } = setup();
    const { child, output, pids } = begin(behaviours.prints);
    expect(await settle(child.exit)).toEqual({ kind: 'exited', code: 0 });
    expect(output).toEqual({ stdout: 'out\n', stderr: 'err\n' });
    expect(pids).toHaveLength(1);
  });

  test('a failure is told by its code, a death by its signal', async () => {
    const { begin, settle } = setup();
    expect(await settle(begin(behaviours.fails).child.exit)).toEqual({ kind: 'exited', code: 3 });
    expect(await settle(begin(behaviours.dies).child.exit)).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
  });

  test('what cannot start says why and was never running', async () => {
    const { begin, settle } = setup();
    const { child, pids } = begin(['no-such-program', '--flag']);
    expect(await settle(child.exit)).toEqual({
      kind: 'not-started',
      reason: 'no-such-program: command not found',
    });
    expect(pids).toEqual([]);
    expect(await settle(child.stop(1_000))).toEqual({ stopped: [], unverified: [] });
  });

  test('a program is stopped by TERM when it listens', async () => {
    const { begin, settle } = setup();
    const { child, pids, isReady } = begin(behaviours.runs);
    await isReady();
    const report = await settle(child.stop(10_000));
    expect(report.stopped).toEqual(expect.arrayContaining(pids));
    expect(report.unverified).toEqual([]);
    expect(await settle(child.exit)).toEqual({ kind: 'signalled', signal: 'SIGTERM' });
  });

  test('a program that ignores TERM is killed after the grace', async () => {
    const { begin, settle } = setup();
    const { child, pids, isReady } = begin(behaviours['ignores TERM']);
    await isReady();
    const report = await settle(child.stop(200));
    expect(report.stopped).toEqual(expect.arrayContaining(pids));
    expect(report.unverified).toEqual([]);
    expect(await settle(child.exit)).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
  });

  test('a process that left the group is found by its marker', async () => {
    const { begin, settle, spawn } = setup();
    const { child, isReady, marker } = begin(behaviours['leaves a survivor']);
    await isReady();
    const report = await settle(child.stop(2_000));
    expect(report.stopped.length).toBeGreaterThanOrEqual(2);
    expect(report.unverified).toEqual([]);
    expect(await settle(spawn.stopMarked([marker], 0))).toEqual({ stopped: [], unverified: [] });
  });

  test('marked processes are stopped without their handle, and others are left alone', async () => {
    const { begin, settle, spawn } = setup();
    const one = begin(behaviours.runs);
    const two = begin(behaviours.runs);
    await one.isReady();
    await two.isReady();
    const report = await settle(spawn.stopMarked([one.marker], 2_000));
    expect(report.stopped).toEqual(expect.arrayContaining(one.pids));
    expect(report.stopped).not.toEqual(expect.arrayContaining(two.pids));
    expect(await settle(one.child.exit)).toEqual({ kind: 'signalled', signal: 'SIGTERM' });
    await settle(two.child.stop(2_000));
  });

  test('a program that runs out of time is stopped and says so', async () => {
    const { begin, settle } = setup();
    const { child } = begin(behaviours.runs, { timeoutMs: 100 });
    expect(await settle(child.exit)).toEqual({ kind: 'timed-out' });
  });

  test('we are alive; another start time is dead; another boot or namespace is unknown', () => {
    const { spawn } = setup();
    expect(spawn.isAlive(spawn.self)).toBe('alive');
    expect(spawn.isAlive({ ...spawn.self, startTime: '1' })).toBe('dead');
    expect(spawn.isAlive({ ...spawn.self, boot: 'other' })).toBe('unknown');
    expect(spawn.isAlive({ ...spawn.self, pidNamespace: 'pid:[2]' })).toBe('unknown');
  });
};
