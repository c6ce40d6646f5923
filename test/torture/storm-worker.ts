import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createClock } from '../../src/base/clock.io.ts';
import type { Clock } from '../../src/base/clock.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import type { Disk } from '../../src/base/disk.ts';
import { sha256 } from '../../src/base/hash.io.ts';
import { ownIdentity, readProcess } from '../../src/base/process/process-table.io.ts';
import type { ProcessIdentity } from '../../src/base/process/spawn.ts';
import { createRandom } from '../../src/base/random.io.ts';
import { createMailbox } from '../../src/signals/mailbox/create-mailbox.ts';
import { formatSignalName } from '../../src/signals/mailbox/names.ts';
import type { Claim, Mailbox, Published } from '../../src/signals/mailbox.ts';

/**
 * One process of the storm: `produce|consume <directory> <number> <signals> <weakness> <life>`; the storm kills it and starts it again, as another
 * life, because pids are used again within minutes.
 */

const [role, directory = '', number = '0', signals = '0', weakness = 'none', life = '0'] =
  process.argv.slice(2);

/**
 * Mistakes for the storm to find. `two-winners`: a dead process's claim is taken over by `link` and `unlink` where one `rename` belongs, so
 * that two can win. `takes-from-the-living`: the owner of a claim always counts as dead. `impatient`: a file counts as whole at once.
 */
export type Weakness = 'none' | 'two-winners' | 'takes-from-the-living' | 'impatient';

/** The mailbox of this process, as a real program wires it. */
export const openStormMailbox = (at: string): Mailbox => {
  const mailbox = createMailbox(weakDisk(), weakClock(), createRandom(), {
    directory: join(at, 'signals'),
    owner: ownIdentity(),
    isAlive: (identity: ProcessIdentity) => {
      if (weakness === 'takes-from-the-living') return 'dead';
      const entry = readProcess(identity.pid);
      return entry && !entry.ended && entry.startTime === identity.startTime ? 'alive' : 'dead';
    },
    hash: sha256,
  });
  const fault = mailbox.open();
  if (fault) throw new Error(fault.what);
  return mailbox;
};

const weakDisk = (): Disk => {
  const disk = createDisk();
  if (weakness !== 'two-winners') return disk;
  const isClaim = (path: string): boolean => dirname(path).endsWith('/claimed');
  return {
    ...disk,
    rename: (from, to) => {
      if (!(isClaim(from) && isClaim(to))) return disk.rename(from, to);
      disk.link(from, to);
      // The scheduler may do this to anybody.
      wait(50);
      try {
        disk.unlink(from);
      } catch {}
    },
  };
};

const weakClock = (): Clock => {
  const clock = createClock();
  return weakness === 'impatient' ? { ...clock, monotonic: () => 10_000 * clock.monotonic() } : clock;
};

/** A message that tells whether it is whole. */
const messageOf = (count: number): string => {
  const text = `signal ${count} of producer ${number} ${'x'.repeat(count % 300)}`;
  return `${text} sum ${sha256(text).slice(0, 16)}`;
};

const isWhole = (message: string): boolean => {
  const [text = '', sum] = message.split(' sum ');
  return sha256(text).slice(0, 16) === sum;
};

/** A storm that was itself killed leaves nobody behind. */
const parent = process.ppid;

/** There is nothing to wait for but time here: the other processes are what this one is waiting for. */
const wait = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  if (process.ppid !== parent) process.exit(1);
};

const begin = (): Mailbox => {
  const mailbox = openStormMailbox(directory);
  writeSync(1, 'ready\n');
  return mailbox;
};

const produce = (): void => {
  const mailbox = begin();
  const log = join(directory, `reported-${number}.log`);
  let count = existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0;
  for (; count < Number(signals); count += 1) {
    while (readdirSync(join(directory, 'signals/inputs')).length > 100) wait(2);
    const { id, file } = count % 8 === 7 ? writeByHand(count) : publish(mailbox, count);
    appendFileSync(log, `${id} ${file}\n`);
  }
  writeFileSync(join(directory, `done-${number}`), '');
};

const publish = (mailbox: Mailbox, count: number): Published => {
  const made = mailbox.publish({ type: 'INFO', target: 'Executor', message: messageOf(count) });
  if ('code' in made) throw new Error(made.what);
  return made;
};

/** As a slow script writes: in pieces, some of which are good YAML already, without the end mark, and possibly killed in the middle. */
const writeByHand = (count: number): Published => {
  const file = formatSignalName(Date.now(), createRandom());
  const message = messageOf(count);
  const quote = count % 2 === 0 ? '"' : '';
  const pieces = [
    'type: INFO\ntarget: Executor\n',
    `message: ${quote}${message.slice(0, 12)}`,
    `${message.slice(12)}${quote}\n`,
  ];
  const handle = openSync(join(directory, 'signals/inputs', file), 'wx');
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) wait(1 + Math.random() * 12);
    writeSync(handle, piece);
  }
  closeSync(handle);
  return { id: sha256(`${file}\0${pieces.join('')}`), file };
};

const act = (mailbox: Mailbox, log: string, claim: Claim): void => {
  const how = isWhole(claim.signal.message ?? '') ? 'whole' : 'half';
  appendFileSync(log, `${claim.id} ${claim.file} ${how} ${life} ${Date.now()}\n`);
  const fault = mailbox.archive(claim, {
    outcome: 'handled',
    handled_by: `consumer ${number}`,
    handled_at: new Date().toISOString(),
    action_taken: 'counted',
    checkpoint: 'Executor.3.5',
    invocation: null,
    acks: [],
  });
  if (fault) throw new Error(fault.what);
};

const consume = (): void => {
  const mailbox = begin();
  const log = join(directory, `acted-${number}.log`);
  for (;;) {
    const { pendingSignals, spoiled, claimed, problem } = mailbox.peek();
    if (problem) throw new Error(problem.what);
    if (claimed) for (const claim of mailbox.recover({ takeOver: false }).claims) act(mailbox, log, claim);
    // Only one of them is the engine: the others would fight over the same unusable file.
    if (number === '0') for (const { file, reason } of spoiled) mailbox.reject(file, reason);
    // Each begins somewhere else: if all began with the oldest, three of four claims would come too late and nothing else would be tried.
    const from = Math.floor(Math.random() * pendingSignals.length);
    for (const pendingSignal of [...pendingSignals.slice(from), ...pendingSignals.slice(0, from)].slice(
      0,
      100,
    )) {
      const claim = mailbox.claim(pendingSignal);
      if (typeof claim !== 'string') act(mailbox, log, claim);
    }
    if (pendingSignals.length === 0) wait(5);
  }
};

/** Does everything a few times in a mailbox of its own, so that what V8 keeps of this file holds all that a worker needs. */
const rehearse = (): void => {
  const mailbox = openStormMailbox(directory);
  for (let count = 0; count < 30; count += 1) publish(mailbox, count);
  mailbox.recover({ takeOver: false });
  for (const pendingSignal of mailbox.peek().pendingSignals) {
    const claim = mailbox.claim(pendingSignal);
    if (typeof claim !== 'string') act(mailbox, join(directory, 'rehearsed'), claim);
  }
};

if (role === 'rehearse') rehearse();
if (role === 'produce') produce();
if (role === 'consume') consume();
