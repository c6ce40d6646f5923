import { join } from 'node:path';
import { type Fault, toFault } from '../base/fault.ts';
import { sha256 } from '../base/hash.io.ts';
import { createRedact } from '../base/redact.ts';
import type { ChosenIsolation } from '../changes/choose-isolation.ts';
import { checkSeal } from '../observability/check-seal.ts';
import { beginningFault } from '../observability/journal-beginning.ts';
import { openJournal } from '../observability/journal-file.ts';
import { withStateCache } from '../observability/state-cache.ts';
import { unusableEvent } from '../observability/unusable-event.ts';
import { initialState } from '../pipeline/initial.ts';
import type { SessionState } from '../pipeline/state.ts';
import { detectLayout } from '../session/layout.ts';
import { acquireLock, isLock, type Lock } from '../session/lock.ts';
import { sessionDirectoryFault } from '../session/private-directory.ts';
import { createMailbox } from '../signals/mailbox/create-mailbox.ts';
import { assemble, type Host } from './assemble.ts';
import type { Core } from './core.ts';
import type { Engine, EngineOptions, SessionEnd } from './engine.ts';
import { hooksNow } from './guards/hooks.ts';
import type { Observer } from './loop.ts';
import { prepareSession } from './prepare.ts';
import { recall } from './recovery.ts';
import { createScreens, type Screens } from './screens.ts';

/** The engine of one session over its ports. It knows no screen, no real clock and no real disk (src/engine/README.md). */
export const createEngine = (options: EngineOptions): Engine => {
  const observers = new Set<Observer>();
  const end = Promise.withResolvers<SessionEnd>();
  const screens = createScreens();
  let host: Host | null = null;
  let state: SessionState = initialState();

  observers.add((_event, now) => {
    state = now;
  });

  const start = async (isolation?: ChosenIsolation): Promise<Fault | null> => {
    try {
      const opened = open(options, { observers, screens, ended: end.resolve });
      if ('code' in opened) return opened;
      host = opened;
      await opened.begin(isolation);
      return null;
    } catch (error) {
      return toFault(error, options.paths.directory);
    }
  };

  return {
    start,
    subscribe: (observer) => {
      observers.add(observer);
      return () => observers.delete(observer);
    },
    state: () => state,
    wake: () => host?.wake(),
    permit: (reply) => (host ? host.permissions.answer(reply) : 'the session is not running'),
    revoke: (key, by) => host?.permissions.revoke(key, by),
    confirmDevice: (device) => (host ? host.permissions.confirmDevice(device) : 'the session is not running'),
    shown: screens.came,
    noteRunner: (body) => host?.noteRunner(body),
    noteProblem: (fault) => host?.noteProblem(fault),
    workers: () => host?.workers ?? null,
    quit: async (reason) => {
      if (!host) return;
      await host.quit(reason);
      await end.promise;
    },
    settled: () => end.promise,
  };
};

/** What the engine keeps from before its session is open. */
interface Outside {
  readonly observers: Set<Observer>;
  readonly screens: Screens;
  readonly ended: (end: SessionEnd) => void;
}

/** Takes the lock and opens mailbox and journal. A fault leaves everything as it was. */
const open = (options: EngineOptions, outside: Outside): Host | Fault => {
  const { disk, random, spawn, paths, begin } = options;
  const hasJournal = disk.lstat(paths.journal) !== null;
  if (begin.kind === 'new' && hasJournal) return sessionExists(options);
  if (begin.kind === 'resume' && !hasJournal) return noJournal(options);
  const unsafe = sessionDirectoryFault(disk, paths);
  if (unsafe) return unsafe;
  // git is asked before the journal exists: a program that is killed there has begun nothing.
  const hooksAtStart = hooksNow(options);
  prepareSession(options);
  const takeOver = begin.kind === 'resume' && begin.takeOver;
  const lock = acquireLock(disk, random, paths, spawn.self, spawn.isAlive, {
    takeOver,
    clock: options.clock,
  });
  if (!isLock(lock)) return lock;
  try {
    const opened = openBehindLock(options, lock, { ...outside, hooksAtStart });
    if ('code' in opened) lock.release();
    return opened;
  } catch (error) {
    lock.release();
    throw error;
  }
};

const openBehindLock = (
  options: EngineOptions,
  lock: Lock,
  outside: Outside & Pick<Core, 'hooksAtStart'>,
): Host | Fault => {
  const { disk, clock, random, spawn, paths, begin } = options;
  const mailbox = createMailbox(disk, clock, random, {
    directory: paths.signals,
    owner: spawn.self,
    isAlive: spawn.isAlive,
    hash: sha256,
    redact: createRedact(options.secrets),
    ...(options.proofs === null ? {} : { spend: options.proofs.spend }),
  });
  const fault = mailbox.open();
  if (fault) return fault;
  const unusable =
    begin.kind === 'resume' ? (unseenJournal(options) ?? beginningFault(disk, paths.journal)) : null;
  if (unusable) return unusable;
  const recalled = begin.kind === 'resume' ? recall(disk, paths) : null;
  if (begin.kind === 'resume' && !recalled) return noJournal(options);
  const places = { copy: copyPlace(options), seal: options.seal };
  const journal = withStateCache(disk, random, paths, openJournal(disk, paths.journal, places));
  return assemble({ options, lock, mailbox, journal, recalled, ...outside });
};

const copyPlace = ({ shadow }: EngineOptions): string | undefined =>
  shadow === undefined ? undefined : join(shadow, 'journal.jsonl');

/** Once more behind the lock: the answer of a person holds for the journal that it was about. */
const unseenJournal = ({ disk, paths, seal, agreedJournal }: EngineOptions): Fault | null => {
  if (seal === undefined) return null;
  const { whole, digest } = checkSeal(disk, paths.journal, seal);
  if (whole) return null;
  const unusable = unusableEvent(disk, paths.journal);
  if (unusable !== null || digest === agreedJournal) return unusable;
  return {
    code: 'journal-changed',
    what: 'the journal of this session holds lines that this program did not write and you have not accepted',
    where: paths.journal,
    hint: `run \`ralph-tui resume ${paths.session}\` in a terminal to review and accept them`,
  };
};

const sessionExists = ({ paths }: EngineOptions): Fault => ({
  code: 'session-exists',
  what: 'this session already exists',
  where: paths.directory,
  hint: 'resume it, or start a new one',
});

const noJournal = ({ disk, paths }: EngineOptions): Fault => {
  const { ours, lostJournal } = detectLayout(disk, paths.directory);
  if (ours && disk.lstat(paths.metadata)?.kind === 'file')
    return {
      code: 'no-journal',
      what: 'the journal of this session has no usable events, so the session is read-only',
      where: paths.journal,
      hint: 'restore journal.jsonl from a backup, or start a new session',
    };
  if (ours || (!lostJournal && disk.lstat(paths.lock)?.kind === 'directory'))
    return {
      code: 'no-journal',
      what: 'this session ended before the first line of its journal was written, so there is nothing to resume',
      where: paths.journal,
      hint: 'start a new session',
    };
  if (lostJournal)
    return {
      code: 'no-journal',
      what: 'the journal of this session is missing, so the session is read-only',
      where: paths.journal,
      hint: 'restore journal.jsonl, or start a new session',
    };
  return {
    code: 'no-journal',
    what: 'there is no journal, so this session was run by another program and is read-only',
    where: paths.directory,
    hint: 'start a new session',
  };
};
