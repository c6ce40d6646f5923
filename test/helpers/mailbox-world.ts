import { parseArchived } from '../../src/signals/envelope.ts';
import type { Claim, Mailbox, Published } from '../../src/signals/mailbox.ts';
import { isBroadcast } from '../../src/signals/routing.ts';
import { handling, mailboxOn } from './mailbox.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import type { SimulatedDisk } from './simulated-disk.ts';

/** What people were told and what was done, kept outside the disk that crashes: a person's memory and the engine's flushed journal. */
export interface World {
  readonly disk: SimulatedDisk;
  readonly clock: ManualClock;
  /** Signals of which the writer was told that they are in. */
  readonly reported: Map<string, Published>;
  readonly acted: Map<string, number>;
  readonly withdrawn: Set<string>;
  pid: number;
}

export const createWorld = (disk: SimulatedDisk): World => ({
  disk,
  clock: createManualClock(),
  reported: new Map(),
  acted: new Map(),
  withdrawn: new Set(),
  pid: 100,
});

export const signalsDirectory = '/session/signals';

/** The mailbox of a new process; every earlier one is dead. */
export const nextProcess = (world: World): Mailbox => {
  world.pid += 1;
  const dead = new Set(Array.from({ length: world.pid - 100 }, (_, index) => 100 + index));
  return mailboxOn(world.disk, { directory: signalsDirectory, pid: world.pid, dead, clock: world.clock });
};

/** What an engine does with a claim: the record of the act comes first and is durable (rule 7). */
export const settle = (world: World, mailbox: Mailbox, claim: Claim): void => {
  if (!world.acted.has(claim.id)) world.acted.set(claim.id, 0);
  world.acted.set(claim.id, (world.acted.get(claim.id) ?? 0) + 1);
  const fault = mailbox.archive(claim, handling('done'));
  if (fault) throw new Error(fault.what);
};

/** One life of an engine: recovers, rejects what is spoiled, and handles everything that is pending. */
export const live = (world: World): void => {
  const mailbox = nextProcess(world);
  const fault = mailbox.open();
  if (fault) throw new Error(fault.what);
  mailbox.sweepTemporary();
  for (const claim of mailbox.recover({ takeOver: false }).claims) settle(world, mailbox, claim);
  mailbox.peek();
  world.clock.advance(10_000);
  const { pendingSignals, spoiled } = mailbox.peek();
  for (const { file, reason } of spoiled) mailbox.reject(file, reason);
  for (const pendingSignal of pendingSignals) {
    if (isBroadcast(pendingSignal.signal)) spread(mailbox, mailbox.freeze(pendingSignal, recipients).id);
    const claim = mailbox.claim(pendingSignal);
    if (typeof claim !== 'string') settle(world, mailbox, claim);
  }
};

const recipients = [
  { agent: 'Orchestrator', invocation: '1' },
  { agent: 'Executor', invocation: 'Executor-1' },
] as const;

const spread = (mailbox: Mailbox, id: string): void => {
  const [orchestrator, executor] = recipients;
  mailbox.acknowledge(id, {
    ...orchestrator,
    action: 'guidance',
    at: 'now',
    checkpoint: 'Orchestrator.boundary',
  });
  mailbox.strike(id, executor);
};

/** What is wrong with a disk on which the last engine came to an end; empty when all promises were kept. */
export const brokenPromises = (world: World): readonly string[] => {
  const { disk, reported, acted, withdrawn } = world;
  const names = (directory: string): readonly string[] => disk.readdir(`${signalsDirectory}/${directory}`);
  const archived = names('processed').map((name) => {
    const { signal, handling: what } = parseArchived(
      name,
      new TextEncoder().encode(disk.text(`${signalsDirectory}/processed/${name}`)),
    ).value;
    return { id: what?.id ?? `unreadable ${name}`, signal, action: what?.action_taken };
  });
  const ids = archived.map((each) => each.id);
  const problems: string[] = [];
  for (const id of reported.keys()) if (!ids.includes(id)) problems.push(`lost: ${reported.get(id)?.file}`);
  for (const id of new Set(ids))
    if (ids.filter((each) => each === id).length > 1) problems.push(`archived twice: ${id}`);
  for (const { id, signal, action } of archived) {
    if (signal === null) problems.push(`archived half: ${id}`);
    if (action !== 'withdrawn' && !acted.has(id)) problems.push(`archived without an act: ${id}`);
  }
  for (const id of acted.keys()) if (!ids.includes(id)) problems.push(`acted and not archived: ${id}`);
  for (const id of withdrawn) if (acted.has(id)) problems.push(`withdrawn and acted: ${id}`);
  for (const directory of ['inputs', 'claimed', 'tmp'])
    if (names(directory).length > 0) problems.push(`left in ${directory}/: ${names(directory).join(' ')}`);
  return problems;
};
