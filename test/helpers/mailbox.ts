import { join } from 'node:path';
import type { Clock } from '../../src/base/clock.ts';
import type { Disk } from '../../src/base/disk.ts';
import type { Fault } from '../../src/base/fault.ts';
import { sha256 } from '../../src/base/hash.io.ts';
import type { ProcessIdentity } from '../../src/base/process/spawn.ts';
import type { Random } from '../../src/base/random.ts';
import type { Redact } from '../../src/base/redact.ts';
import { createMailbox } from '../../src/signals/mailbox/create-mailbox.ts';
import type { Claim, Handling, Mailbox, Published } from '../../src/signals/mailbox.ts';
import type { PendingSignal, Signal } from '../../src/signals/signal.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createSeededRandom } from './seeded-random.ts';
import { createSimulatedDisk, type SimulatedDisk } from './simulated-disk.ts';

/** Processes of a test's machine: `pid` makes one, `dead` holds those that ended, and other boots are unknown. */
export const processOf = (pid: number, boot = 'boot-1'): ProcessIdentity => ({
  boot,
  pidNamespace: 'pid:[4026531836]',
  pid,
  startTime: String(1000 + pid),
});

export interface MailboxSetup {
  readonly directory?: string;
  readonly pid?: number;
  readonly dead?: ReadonlySet<number>;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly redact?: Redact;
  readonly spend?: (id: string) => void;
}

/** A mailbox of the process `pid` on any disk, not opened yet. */
export const mailboxOn = (disk: Disk, setup: MailboxSetup = {}): Mailbox => {
  const { directory = '/session/signals', pid = 100, dead = new Set() } = setup;
  return createMailbox(disk, setup.clock ?? createManualClock(), setup.random ?? createSeededRandom(pid), {
    directory,
    owner: processOf(pid),
    isAlive: (identity) => {
      if (identity.boot !== 'boot-1') return 'unknown';
      return dead.has(identity.pid) ? 'dead' : 'alive';
    },
    hash: sha256,
    ...(setup.redact ? { redact: setup.redact } : {}),
    ...(setup.spend ? { spend: setup.spend } : {}),
  });
};

export interface Scene {
  readonly disk: SimulatedDisk;
  readonly clock: ManualClock;
  readonly mailbox: Mailbox;
  /** Another process on the same disk and clock. */
  readonly other: (pid: number, dead?: ReadonlySet<number>) => Mailbox;
  readonly input: (name: string) => string;
  /** The names in one of the mailbox's directories, sorted. */
  readonly names: (directory: string) => readonly string[];
  readonly text: (path: string) => string;
}

/** An open mailbox on a simulated disk. */
export const scene = (): Scene => {
  const clock = createManualClock();
  const disk = createSimulatedDisk({ now: () => clock.now() });
  const directory = '/session/signals';
  const mailbox = mailboxOn(disk, { clock });
  const fault = mailbox.open();
  if (fault) throw new Error(fault.what);
  return {
    disk,
    clock,
    mailbox,
    other: (pid, dead = new Set()) => mailboxOn(disk, { clock, pid, dead }),
    input: (name) => join(directory, 'inputs', name),
    names: (name) => disk.readdir(join(directory, name)).sort(),
    text: (path) => disk.text(join(directory, path)),
  };
};

/** A handling that says `action`. */
export const handling = (action: string, acks: readonly string[] = []): Handling => ({
  outcome: 'handled',
  handled_by: 'Ralph-v2-Executor',
  handled_at: '2026-02-15T10:15:00+07:00',
  action_taken: action,
  checkpoint: 'Executor.3.5',
  invocation: 'Executor-1',
  acks,
});

/** Publishes or throws the fault. */
export const published = (mailbox: Mailbox, signal: Partial<Signal> & Pick<Signal, 'type'>): Published => {
  const result: Published | Fault = mailbox.publish({ target: 'ALL', ...signal });
  if ('code' in result) throw new Error(result.what);
  return result;
};

/** Claims or throws. */
export const claimed = (mailbox: Mailbox, pendingSignal: PendingSignal | undefined): Claim => {
  if (!pendingSignal) throw new Error('no pendingSignal to claim');
  const claim = mailbox.claim(pendingSignal);
  if (typeof claim === 'string') throw new Error(`the claim was ${claim}`);
  return claim;
};

/** The same disk, telling each call it gets. */
export const watched = (disk: Disk, onCall: (name: string) => void): Disk => {
  const entries = Object.entries(disk).map(([name, call]) => [
    name,
    (...args: readonly unknown[]) => {
      onCall(name);
      return call(...args);
    },
  ]);
  return Object.fromEntries(entries);
};
