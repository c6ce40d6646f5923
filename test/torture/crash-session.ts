import { type Disk, DiskError } from '../../src/base/disk.ts';
import { formatFault } from '../../src/base/fault.ts';
import { readJournal } from '../../src/observability/journal-file.ts';
import { parseKnowledge } from '../../src/session/knowledge.ts';
import { parseMetadata } from '../../src/session/metadata-file.ts';
import { defaultSettings } from '../../src/session/settings.ts';
import { createSimulatedSession, type SimulatedSession } from '../helpers/engine-session.ts';
import { createManualClock } from '../helpers/manual-clock.ts';
import { createSimulatedDisk, SimulatedCrash, type SimulatedDisk } from '../helpers/simulated-disk.ts';

/**
 * One whole session on a simulated disk for the crash points: a task that waits for another, signals for one agent and for all, knowledge that is staged,
 * approved and promoted. What people were told stands outside the disk.
 */
export interface CrashSession {
  readonly session: SimulatedSession;
  /** Signals of which the writer was told that they are in. */
  readonly reported: Set<string>;
  /** The file each changing operation touches, in order. */
  readonly touched: readonly string[];
  /** From this operation on (1 is the first) nothing fits any more, on the whole disk or only into the journal, as under `ulimit -f`; until `empty`. */
  readonly fillAt: (operation: number, what: 'disk' | 'journal') => void;
  readonly empty: () => void;
}

const plan = `goal: Survive
tasks:
  - {id: first, title: First, files: [first.txt], run: [make first], verify: [check first]}
  - {id: second, title: Second, blockedBy: [first], files: [second.txt], run: [make second], verify: [check second]}
`;

export const createCrashSession = (ignoreFlush = false): CrashSession => {
  const clock = createManualClock();
  const simulated = createSimulatedDisk({ now: () => clock.now(), ignoreFlush });
  const touched: string[] = [];
  let full: { readonly at: number; readonly what: 'disk' | 'journal' } | null = null;
  const disk = recording(simulated, touched, (operation, name, path) => {
    if (full === null || operation < full.at) return;
    if (full.what === 'disk') simulated.setSpace(0);
    else if (name === 'write' && path.endsWith('journal.jsonl')) throw new DiskError('EFBIG', 'write', path);
  });
  const reported = new Set<string>();
  const session = createSimulatedSession({
    plan,
    attended: true,
    settings: { knowledge: { ...defaultSettings.knowledge, gate: 'always', approval_timeout: null } },
    beside: { clock, disk },
    program: ({ command }) => {
      const name = String(command).split(' ')[1];
      return { runsMs: 300, effect: () => disk.put(`/work/${name}.txt`, 'made') };
    },
  });
  const report = (signal: Parameters<SimulatedSession['publish']>[0]): void => {
    // On a full disk the writer is told so, and tries again when the session is resumed.
    try {
      reported.add(session.publish(signal));
    } catch (error) {
      if (disk.crashed()) throw error;
    }
  };
  session.watchers.add((event, state) => {
    if (event.type === 'session.created') {
      session.mailbox().open();
      report({ type: 'INFO', target: 'Executor', task: 'second', message: 'Mind the gap' });
      report({ type: 'STEER', message: 'Greet all' });
    }
    // Whoever sees the gate open after a restart, with nothing on its way, approves again.
    const waits = event.type === 'gate.opened' || (event.type === 'session.started' && state.gate);
    if (
      waits &&
      session
        .mailbox()
        .list()
        .every(({ signal }) => signal?.type !== 'APPROVE')
    )
      report({ type: 'APPROVE', target: 'Orchestrator' });
  });
  return {
    session,
    reported,
    touched,
    fillAt: (at, what) => {
      full = { at, what };
    },
    empty: () => {
      full = null;
      simulated.setSpace(null);
    },
  };
};

const recording = (
  disk: SimulatedDisk,
  touched: string[],
  before: (operation: number, name: string, path: string) => void,
): SimulatedDisk => {
  const note =
    <T extends readonly unknown[], R>(call: (...args: T) => R, pathOf: (args: T) => string) =>
    (...args: T): R => {
      const done = disk.operations();
      before(done + 1, call.name, pathOf(args));
      try {
        return call(...args);
      } finally {
        while (touched.length < disk.operations() && disk.operations() > done) touched.push(pathOf(args));
      }
    };
  const calls: Partial<Disk> = {
    openExclusive: note(disk.openExclusive, ([path]) => path),
    openAppend: note(disk.openAppend, ([path]) => path),
    write: note(disk.write, ([handle]) => handle.path),
    truncate: note(disk.truncate, ([handle]) => handle.path),
    flush: note(disk.flush, ([handle]) => handle.path),
    link: note(disk.link, ([, to]) => to),
    rename: note(disk.rename, ([, to]) => to),
    unlink: note(disk.unlink, ([path]) => path),
    mkdir: note(disk.mkdir, ([path]) => path),
    rmdir: note(disk.rmdir, ([path]) => path),
    chmod: note(disk.chmod, ([path]) => path),
    flushDirectory: note(disk.flushDirectory, ([path]) => path),
  };
  return { ...disk, ...calls };
};

/** One life: to the end, or to the stop. Null when the disk stopped. */
export const live = async ({ session }: CrashSession, kind: 'begin' | 'resume') => {
  try {
    const engine = session[kind]();
    const fault = await Promise.race([engine.start(), session.clock.advanceAsync(2_000).then(() => null)]);
    if (session.disk.crashed()) return null;
    if (fault) return { status: 'did not start', reason: formatFault(fault) };
    return await session.settle(engine);
  } catch (error) {
    if (error instanceof SimulatedCrash) return null;
    return { status: error instanceof Error ? error.message.slice(0, 300) : 'for no reason' };
  }
};

/** What must hold on the disk at any moment, also right after a power loss: no snapshot and no archive knows more than the journal, and no signal is gone. */
export const problemsOnDisk = (crash: CrashSession): readonly string[] => {
  const { session, reported } = crash;
  const { disk, paths } = session;
  const { events } = readJournal(disk, paths.journal);
  const metadata = disk.lstat(paths.metadata) ? parseMetadata(disk.text(paths.metadata)).value : null;
  const ahead = (metadata?.journal_seq ?? 0) - events.length;
  const known = new Set(
    events.flatMap((event) =>
      event.type === 'signal.claimed' || event.type === 'signal.delivered' ? [event.id] : [],
    ),
  );
  const entries = session.mailbox().list();
  const there = new Set(entries.map(({ id }) => id));
  return [
    ...cutOff(crash),
    ...(ahead > 0 ? [`metadata.yaml is ${ahead} events ahead of the journal`] : []),
    ...entries
      .filter(({ stage, id }) => stage === 'processed' && !known.has(id))
      .map(({ file }) => `${file} is archived and the journal does not know it`),
    ...[...reported]
      .filter((id) => !there.has(id) && !entries.some((entry) => id.startsWith(entry.id)))
      .map((id) => `the signal ${id.slice(0, 8)} was reported and is gone`),
  ];
};

/** A file that is there is there with all of its text. */
const cutOff = ({ session }: CrashSession): readonly string[] => {
  const { disk, paths } = session;
  // A sign of life beside them is appended, and may end anywhere.
  const locks = disk.lstat(paths.lock) ? disk.readdir(paths.lock).filter((name) => /^\d+$/.test(name)) : [];
  const endings: readonly (readonly [string, RegExp])[] = [
    [paths.metadata, /^journal_seq: \d+\n$/m],
    [paths.iteration(1).progress, /^## Iterations\n[\s\S]*\|\n$/m],
    ...locks.map((name) => [`${paths.lock}/${name}`, /^released: (?:true|false)\n$/m] as const),
    ...disk
      .tree('/')
      .filter((path) => /\/(?:knowledge|\.docs)\/[^/]+\/[^/]+\.md$/.test(path))
      .map((path) => [path, /^---\n[\s\S]+\n---\n[\s\S]+\n$/] as const),
  ];
  return endings
    .filter(([path, whole]) => disk.lstat(path) !== null && !whole.test(disk.text(path)))
    .map(([path]) => `${path.replace(`${paths.directory}/`, '')} is cut off`);
};

/** What must hold at the end, however often it was stopped. */
export const problemsAtTheEnd = (crash: CrashSession): readonly string[] => {
  const { session } = crash;
  const { disk, paths } = session;
  const { events } = readJournal(disk, paths.journal);
  const progress = disk.text(paths.iteration(1).progress);
  const tree = disk.tree('/work');
  const staged = tree.filter((path) => /\/knowledge\/[^/]+\/[^/]+\.md$/.test(path));
  const promotedOf = (path: string): string | null =>
    disk.lstat(path) ? parseKnowledge(disk.text(path), path).value.promoted_at : null;
  const count = (type: string, task: string): number =>
    events.filter((event) => event.type === type && 'task' in event && event.task === task).length;
  return [
    ...problemsOnDisk(crash),
    ...events.flatMap(({ seq }, index) => (seq === index + 1 ? [] : [`line ${index + 1} has number ${seq}`])),
    ...['first', 'second'].flatMap((task) => [
      ...(count('task.qualified', task) === 1
        ? []
        : [`${task} is qualified ${count('task.qualified', task)} times`]),
      ...(new RegExp(`^- \\[x\\] ${task} `, 'm').test(progress)
        ? []
        : [`progress.md does not say that ${task} is done`]),
    ]),
    ...(parseMetadata(disk.text(paths.metadata)).value.status === 'completed'
      ? []
      : ['metadata.yaml does not say completed']),
    ...(staged.length > 0 ? [] : ['nothing was staged']),
    ...staged
      .filter((path) => promotedOf(path) === null)
      .map((path) => `${path} was approved and does not say that it is promoted`),
    ...staged
      .map((path) => path.replace(/^.*\/knowledge\//, '/work/.docs/'))
      .filter((path) => promotedOf(path) === null)
      .map((path) => `${path} was approved and is not there`),
    ...session
      .mailbox()
      .list()
      .filter(({ stage }) => stage !== 'processed')
      .map(({ file, stage }) => `${file} is ${stage} at the end`),
    ...tree.filter((path) => path.includes('.tmp-')).map((path) => `${path} is left over`),
    ...(session.spawn.running().length > 0 ? ['processes are left running'] : []),
  ];
};
