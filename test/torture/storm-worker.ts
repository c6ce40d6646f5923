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
import { join } from 'node:path';
import { createClock } from '../../src/base/clock.io.ts';
import { createDisk } from '../../src/base/disk.io.ts';
import { sha256 } from '../../src/base/hash.io.ts';
import { ownIdentity, readProcess } from '../../src/base/process-table.io.ts';
import { createRandom } from '../../src/base/random.io.ts';
import type { ProcessIdentity } from '../../src/base/spawn.ts';
import { createMailbox } from '../../src/signals/create-mailbox.ts';
import type { Claim, Mailbox } from '../../src/signals/mailbox.ts';
import { formatSignalName } from '../../src/signals/names.ts';

/** One process of the storm: `node storm-worker.ts produce|consume <directory> <number> <signals>`; the storm kills it and starts it again. */

const [role, directory = '', number = '0', signals = '0'] = process.argv.slice(2);

/** The mailbox of this process, as a real program wires it. */
export const openStormMailbox = (at: string): Mailbox => {
  const mailbox = createMailbox(createDisk(), createClock(), createRandom(), {
    directory: join(at, 'signals'),
    owner: ownIdentity(),
    isAlive: (identity: ProcessIdentity) => {
      const entry = readProcess(identity.pid);
      return entry && !entry.ended && entry.startTime === identity.startTime ? 'alive' : 'dead';
    },
    hash: sha256,
  });
  const fault = mailbox.open();
  if (fault) throw new Error(fault.what);
  return mailbox;
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
    while (readdirSync(join(directory, 'signals/inputs')).length > 300) wait(5);
    const id = count % 5 === 4 ? writeByHand(count) : publish(mailbox, count);
    appendFileSync(log, `${id}\n`);
  }
  writeFileSync(join(directory, `done-${number}`), '');
};

const publish = (mailbox: Mailbox, count: number): string => {
  const made = mailbox.publish({ type: 'INFO', target: 'Executor', message: messageOf(count) });
  if ('code' in made) throw new Error(made.what);
  return made.id;
};

/** As a slow script writes: in pieces, without the end mark, and possibly killed in the middle. */
const writeByHand = (count: number): string => {
  const name = formatSignalName(Date.now(), createRandom());
  const message = messageOf(count);
  const pieces = [
    'type: INFO\ntarget: Executor\n',
    `message: "${message.slice(0, 12)}`,
    `${message.slice(12)}"\n`,
  ];
  const handle = openSync(join(directory, 'signals/inputs', name), 'wx');
  for (const piece of pieces) {
    writeSync(handle, piece);
    wait(3);
  }
  closeSync(handle);
  return sha256(`${name}\0${pieces.join('')}`);
};

const consume = (): void => {
  const mailbox = begin();
  const log = join(directory, `acted-${number}.log`);
  const act = (claim: Claim): void => {
    appendFileSync(log, `${claim.id} ${isWhole(claim.signal.message ?? '') ? 'whole' : 'half'}\n`);
    const fault = mailbox.archive(claim, {
      handled_by: `consumer ${number}`,
      handled_at: new Date().toISOString(),
      action_taken: 'counted',
      checkpoint: 'Executor.3.5',
      invocation: null,
      acks: [],
    });
    if (fault) throw new Error(fault.what);
  };
  for (;;) {
    const { letters, spoiled, claimed, problem } = mailbox.peek();
    if (problem) throw new Error(problem.what);
    if (claimed) for (const claim of mailbox.recover({ takeOver: false }).claims) act(claim);
    // Only one of them is the engine: the others would fight over the same unusable file.
    if (number === '0') for (const { file, reason } of spoiled) mailbox.reject(file, reason);
    for (const letter of letters.slice(0, 100)) {
      const claim = mailbox.claim(letter);
      if (typeof claim !== 'string') act(claim);
    }
    if (letters.length === 0) wait(5);
  }
};

if (role === 'produce') produce();
if (role === 'consume') consume();
