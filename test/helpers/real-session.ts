import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScriptBackend } from '../../src/agents/backends/script/create-script-backend.ts';
import { planSource } from '../../src/agents/backends/script/plan.ts';
import { createClock } from '../../src/base/clock.io.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { sha256 } from '../../src/base/hash.io.ts';
import { createSpawn } from '../../src/base/process/spawn.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import type { ChangesPort } from '../../src/changes/port.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { EngineOptions } from '../../src/engine/engine.ts';
import { watchDirectory } from '../../src/engine/mailbox/watch-directory.io.ts';
import type { Event, EventOf, EventType } from '../../src/pipeline/event.ts';
import { sessionPaths } from '../../src/session/paths.ts';
import { defaultSettings, type Settings } from '../../src/session/settings.ts';
import { createMailbox } from '../../src/signals/mailbox/create-mailbox.ts';
import type { Signal } from '../../src/signals/signal.ts';

/** A session on the real disk with real processes, in a workspace of its own. */
export const createRealSession = (
  workspace: string,
  plan: string,
  options: {
    readonly settings?: Partial<Settings>;
    readonly secrets?: readonly string[];
    readonly id?: string;
    readonly changes?: ChangesPort;
    readonly goal?: string;
    readonly attended?: boolean;
    readonly isAgreed?: EngineOptions['isAgreed'];
    readonly ranByGit?: EngineOptions['ranByGit'];
    /** Beside the scripted one. */
    readonly backends?: EngineOptions['backends'];
  } = {},
) => {
  const disk = createDisk();
  const clock = createClock();
  const random = createRandom();
  const spawn = createSpawn();
  const paths = sessionPaths(workspace, options.id ?? '260215-101500');
  const settings: Settings = {
    ...defaultSettings,
    timeouts: { ...defaultSettings.timeouts, abort_grace: 300 },
    knowledge: { ...defaultSettings.knowledge, gate: 'always', approval_timeout: 0 },
    signals: { ...defaultSettings.signals, poll_interval: 200 },
    ...options.settings,
  };
  mkdirSync(paths.directory, { recursive: true });
  writeFileSync(planSource(paths.directory), plan);
  const events: Event[] = [];
  const waiting = new Set<() => void>();

  const launch = (begin: EngineOptions['begin']) => {
    const engine = createEngine({
      disk,
      clock,
      random,
      spawn,
      paths,
      backends: [
        createScriptBackend({
          disk,
          spawn,
          clock,
          random,
          env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
        }),
        ...(options.backends ?? []),
      ],
      begin,
      attended: options.attended ?? false,
      program: 'test',
      proofs: null,
      instructions: () => '# Mine',
      watchMailbox: watchDirectory,
      ...(options.changes ? { changes: options.changes } : {}),
      ...(options.isAgreed ? { isAgreed: options.isAgreed } : {}),
      ...(options.ranByGit ? { ranByGit: options.ranByGit } : {}),
      ...(options.secrets ? { secrets: options.secrets } : {}),
    });
    engine.subscribe((event) => {
      events.push(event);
      for (const look of [...waiting]) look();
    });
    return engine;
  };

  return {
    paths,
    disk,
    spawn,
    settings,
    events,
    begin: () => launch({ kind: 'new', goal: options.goal ?? 'a goal', source: 'plan', settings }),
    resume: () => launch({ kind: 'resume', settings, takeOver: false }),
    publish: (signal: Partial<Signal> & Pick<Signal, 'type'>): string => {
      const published = createMailbox(disk, clock, random, {
        directory: paths.signals,
        owner: spawn.self,
        isAlive: spawn.isAlive,
        hash: sha256,
      }).publish({ target: 'ALL', ...signal });
      if ('code' in published) throw new Error(published.what);
      return published.id;
    },
    /** Resolves at the first event, past or to come, that fits. */
    event: <T extends EventType>(type: T, fits: (event: EventOf<T>) => boolean = () => true) =>
      new Promise<EventOf<T>>((resolve) => {
        const look = (): void => {
          const found = events.find(
            (event): event is EventOf<T> => event.type === type && fits(event as EventOf<T>),
          );
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    all: <T extends EventType>(type: T) => events.filter((event): event is EventOf<T> => event.type === type),
    read: (...parts: readonly string[]): string => readFileSync(join(paths.directory, ...parts), 'utf8'),
    names: (...parts: readonly string[]): readonly string[] =>
      readdirSync(join(paths.directory, ...parts)).sort(),
  };
};

/** Pids of processes whose environment carries the marker of this session. */
export const markedProcesses = (sessionDirectory: string): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`RALPH_RUN=${sessionDirectory}/`);
      } catch {
        // It ended, or belongs to someone else.
        return false;
      }
    })
    .map(Number);
