import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Backend, BackendHost, Brief, Directive } from '../../src/agents/port.ts';
import type { RoleFact } from '../../src/agents/role-fact.ts';
import { createClock } from '../../src/base/clock.io.ts';
import type { Clock } from '../../src/base/clock.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import type { Disk } from '../../src/base/disk.ts';
import { late } from '../../src/base/memoise.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import type { Spawn } from '../../src/base/process/spawn.ts';
import { createRandom } from '../../src/base/random.io.ts';
import { createGit } from '../../src/changes/git/git.io.ts';
import type { Carrier } from '../../src/runners/carriers/carrier.ts';
import type { Pipe, PipeEnd } from '../../src/runners/link/pipe.ts';
import { createRemoteBackend } from '../../src/runners/remote/remote-backend.ts';
import { createRunner, type Runner } from '../../src/runners/remote/runner.ts';
import { createCache } from '../../src/runners/repository/cache.ts';
import { createHostCopy } from '../../src/runners/repository/host-copy.ts';
import { createLateBook, type LateBook } from '../../src/runners/serve/late.ts';
import { serveLink } from '../../src/runners/serve/serve-link.ts';
import type { ServePorts } from '../../src/runners/serve/serving.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { createManualClock, type ManualClock } from '../helpers/manual-clock.ts';
import { makeTempDir, removeTempDir, tempDir } from '../helpers/temp-dir.ts';
import { writeIn } from '../helpers/workspace.ts';

export const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
    cwd,
    encoding: 'utf8',
  }).trim();

/** Copied by each test: it costs no process of git then. */
const template = late((): string => {
  const repository = makeTempDir();
  process.once('exit', () => removeTempDir(repository));
  writeIn(repository, 'a.txt', 'first\n');
  git(repository, 'init', '--quiet', '--initial-branch=main');
  git(repository, 'add', '.');
  git(repository, 'commit', '--quiet', '-m', 'first');
  return repository;
});

/** A repository with one commit and a brief for one task in it. */
export const repositoryWithTask = (): { readonly workspace: string; readonly brief: Brief } => {
  const workspace = tempDir();
  cpSync(template(), workspace, { recursive: true, preserveTimestamps: true });
  return { workspace, brief: briefIn(workspace) };
};

export const briefIn = (workspace: string, invocation = 'Executor-1'): Brief => ({
  invocation,
  role: 'Executor',
  mode: 'IMPLEMENT',
  session: '260215-101500',
  iteration: 1,
  cycle: 1,
  goal: 'x',
  workspace,
  sessionDirectory: join(workspace, '.ralph-sessions/260215-101500'),
  tasks: [],
  messages: [],
  attempt: 1,
  settings: defaultSettings,
});

/** A runner's side in this process, on a clock of the test. */
export const serveIn = (
  clock: Clock,
  directory: string,
  backends: readonly Backend[],
  {
    disk = createDisk(),
    spawn = createSpawn(),
    only = () => null,
  }: {
    readonly disk?: Disk;
    readonly spawn?: Spawn;
    readonly only?: ServePorts['only'];
  } = {},
): {
  readonly attach: (pipe: Pipe) => PipeEnd;
  readonly end: () => Promise<void>;
  readonly late: LateBook;
  readonly over: Promise<void>;
} => {
  const random = createRandom();
  const removeTree = async (path: string): Promise<void> => rmSync(path, { recursive: true, force: true });
  const late = createLateBook(disk, random, join(directory, 'late'));
  const over = Promise.withResolvers<void>();
  const { attach, end } = serveLink({
    clock,
    disk,
    spawn,
    only,
    cache: createCache({
      git: createGit(process.env),
      disk,
      random,
      directory: join(directory, 'repositories'),
      removeTree,
    }),
    late,
    removeTree,
    random,
    machine: 'there',
    work: join(directory, 'work'),
    link: random.hex(16),
    endLink: async () => undefined,
    backends: () => backends,
    describe: async () => ({
      program: 'there',
      node: 'v24',
      git: '2.39',
      cores: 2,
      freeBytes: 1e12,
      now: clock.now(),
      agents: [],
    }),
    self: random.hex(16),
    program: 'there',
    keeps: true,
    over: over.resolve,
  });
  return { attach, end, late, over: over.promise };
};

/** The host's side of one runner. */
export const hostOf = (
  clock: Clock,
  carrier: Carrier,
  orphanAfterMs = 600_000,
  {
    ignored = { workspace: '', entries: [] as readonly string[] },
    fetches = false,
    offers = false,
    reached = () => Promise.resolve(),
  } = {},
) => {
  const disk = createDisk();
  const random = createRandom();
  const odd: string[] = [];
  const runner: Runner = createRunner(
    {
      clock,
      random,
      program: 'here',
      programs: [],
      orphanAfterMs,
      changed: () => undefined,
      reached,
      odd: ({ what }) => void odd.push(what),
    },
    'gpu',
    carrier,
  );
  const copy = createHostCopy({ git: createGit(process.env), disk, random });
  return {
    runner,
    disk,
    random,
    copy,
    odd,
    place: (backend: Backend) =>
      createRemoteBackend(
        { disk, random, copy, host: random.hex(16), orphanAfterMs, ignored, fetches, offers },
        runner,
        backend,
      ),
  };
};

/** The engine's services, recorded. `boundaries` answers checkpoints in turn, then `go`. */
export const recordingHost = (boundaries: Directive[] = []) => {
  const facts: RoleFact[] = [];
  const output: string[] = [];
  let passed = 0;
  const host: BackendHost = {
    emit: (fact) => void facts.push(fact),
    output: (bytes) => void output.push(new TextDecoder().decode(bytes)),
    permission: async ({ title }) => (title === 'good' ? 'allow' : 'refuse'),
    held: () => new Promise(() => undefined),
    released: async () => undefined,
    session: {
      tasks: () => [],
      report: (task) => `report of ${task}`,
      note: ({ note }) => void facts.push({ type: 'finding.noted', text: note ?? '' }),
      ask: ({ question }) => ({ request: 'ask:1', answered: Promise.resolve(`answer to ${question}`) }),
      stage: () => ({ kind: 'staged', file: 'x.md' }),
    },
  };
  const boundary = async (): Promise<Directive> => {
    passed += 1;
    return boundaries.shift() ?? { kind: 'go', messages: [] };
  };
  return { host, facts, output, boundary, passed: () => passed };
};

/** Lets real work go on and the test's clock with it, until the promise settles. */
export const pumped = async <T>(clock: ManualClock, promise: Promise<T>, stepMs = 10): Promise<T> => {
  let settled = false;
  const mark = (): void => {
    settled = true;
  };
  promise.then(mark, mark);
  const real = createClock();
  while (!settled) {
    clock.advance(stepMs);
    await new Promise<void>((resolve) => real.after(1, resolve));
  }
  return promise;
};

export { createManualClock };
