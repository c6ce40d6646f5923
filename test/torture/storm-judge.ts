import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArchived, parseSignal } from '../../src/signals/envelope.ts';
import { openStormMailbox } from './storm-worker.ts';

/** What a storm left behind, counted. */
export interface Verdict {
  readonly reported: number;
  readonly archived: number;
  /** Acts beyond the first, under the same id: allowed when whoever acted before was killed. */
  readonly redeliveries: number;
  /** Files a killed producer left half written. */
  readonly unusable: number;
  readonly lost: number;
  readonly half: number;
  readonly twice: number;
  /** Signals that somebody took while another, who had acted on it, still lived. */
  readonly shared: number;
  /** Broken promises, one sentence each: has to be empty. */
  readonly problems: readonly string[];
}

/** Compares what was reported and acted on with what lies in the archive. `killedAt` are the instants up to which a process lived. */
export const judge = (directory: string, killedAt: ReadonlyMap<number, number>): Verdict => {
  const signals = join(directory, 'signals');
  const mailbox = openStormMailbox(directory);
  mailbox.sweepTemporary();
  const logs = readLogs(directory);
  const { acts } = logs;
  const reported = new Set(logs.reports.map(([id = '']) => id));
  const acted = new Set(acts.map(({ id }) => id));
  const archived = readdirSync(join(signals, 'processed')).map(
    (name) =>
      parseArchived(name, readFileSync(join(signals, 'processed', name))).value.handling?.id ??
      `unreadable ${name}`,
  );
  const once = new Set(archived);
  const lost = [...reported].filter((id) => !once.has(id));
  const half = halfActs(logs);
  const shared = sharedActs(acts, killedAt);
  const problems = [
    ...lost.map((id) => `lost: ${id}`),
    ...half.map(ofHalf),
    ...[...once].filter((id) => !acted.has(id)).map((id) => `archived without an act: ${id}`),
    ...[...acted].filter((id) => !once.has(id)).map((id) => `acted on and not archived: ${id}`),
    ...(archived.length > once.size ? [`archived twice: ${archived.length - once.size}`] : []),
    ...shared.map(ofShared),
    ...readdirSync(join(signals, 'tmp')).map((name) => `left in tmp/: ${name}`),
  ];
  return {
    reported: reported.size,
    archived: archived.length,
    redeliveries: acts.length - acted.size,
    unusable: mailbox.list().filter(({ stage }) => stage === 'pending' || stage === 'rejected').length,
    lost: lost.length,
    half: half.length,
    twice: archived.length - once.size,
    shared: shared.length,
    problems,
  };
};

const ofHalf = (id: string): string => `acted on half a signal: ${id}`;
const ofShared = (id: string): string => `acted on by two living processes: ${id}`;

/** The promises that the acts of a storm under way have broken already, whatever still comes. */
export const brokenSoFar = (directory: string, killedAt: ReadonlyMap<number, number>): readonly string[] => {
  const logs = readLogs(directory);
  return [...halfActs(logs).map(ofHalf), ...sharedActs(logs.acts, killedAt).map(ofShared)];
};

interface Act {
  readonly id: string;
  readonly file: string;
  readonly how: string;
  readonly life: number;
  readonly at: number;
}

const parseAct = (line: string): Act => {
  const [id = '', file = '', how = '', life, at] = line.split(' ');
  return { id, file, how, life: Number(life), at: Number(at) };
};

interface Logs {
  /** The id and the file of each signal that was reported. */
  readonly reports: readonly (readonly string[])[];
  readonly acts: readonly Act[];
}

const readLogs = (directory: string): Logs => ({
  reports: linesOf(directory, 'reported-').map((line) => line.split(' ')),
  acts: linesOf(directory, 'acted-').map(parseAct),
});

/** What a writer that was killed had got down is all there is of it, and may be good YAML; a writer that lived on has to be waited for. */
const halfActs = ({ acts, reports }: Logs): readonly string[] => {
  const finished = new Set(reports.map(([, file = '']) => file));
  return acts.filter(({ how, file }) => how !== 'whole' && finished.has(file)).map(({ id }) => id);
};

/** A claim has one holder: whoever acted before has to be dead when the next one acts. */
const sharedActs = (acts: readonly Act[], killedAt: ReadonlyMap<number, number>): readonly string[] => {
  const last = new Map<string, Act>();
  const shared: string[] = [];
  for (const act of acts.toSorted((a, b) => a.at - b.at)) {
    const before = last.get(act.id);
    if (before && (killedAt.get(before.life) ?? Number.POSITIVE_INFINITY) > act.at) shared.push(act.id);
    last.set(act.id, act);
  }
  return shared;
};

/** What is left in inputs/ at the end cannot be read: a producer was killed while it wrote. */
export const isDrained = (directory: string): boolean => {
  const inputs = join(directory, 'signals/inputs');
  if (readdirSync(join(directory, 'signals/claimed')).length > 0) return false;
  return readdirSync(inputs).every((name) => isUnreadable(join(inputs, name)));
};

/** Bytes of what was reported and acted on: grows as long as anything gets done. */
export const progressOf = (directory: string): number =>
  logsIn(directory, '').reduce((sum, path) => sum + statSync(path).size, 0);

/** Bytes of one line of these logs: an id and a name, and of an act how, who and when. */
export const lineBytes = 110;

const isUnreadable = (path: string): boolean => {
  try {
    return parseSignal(path, readFileSync(path)).value === null;
  } catch {
    // A consumer was faster: look again.
    return false;
  }
};

const logsIn = (directory: string, prefix: string): readonly string[] =>
  readdirSync(directory)
    .filter((name) => name.startsWith(prefix) && name.endsWith('.log'))
    .map((name) => join(directory, name));

const linesOf = (directory: string, prefix: string): readonly string[] =>
  logsIn(directory, prefix).flatMap((path) => readFileSync(path, 'utf8').split('\n').slice(0, -1));
