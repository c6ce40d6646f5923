import { join } from 'node:path';
import { changesRef } from '../../../components/changes/select-changes.ts';
import { createAttemptHistory } from '../../../components/details/attempt-history.ts';
import { DiskError } from '../../base/disk.ts';
import { type Redact, redactDeep } from '../../base/redact.ts';
import { readText } from '../../base/replace-file.ts';
import { safeBlock, safeOutput } from '../../base/safe.ts';
import { structureOf } from '../../page/export/structure.ts';
import { buildModel } from '../../page/model/build-model.ts';
import type { PageModel } from '../../page/model/page-model.ts';
import type { PageSource, SourceChanges } from '../../page/model/page-source.ts';
import { stepsKey } from '../../page/model/steps.ts';
import { evolveAll } from '../../pipeline/evolve.ts';
import type { Cli } from '../cli.ts';
import { readAnyChanges } from '../session/changes/read-recorded.ts';
import type { OpenJournal } from '../session/open-session.ts';
import { recordedSessions } from '../session/read-changes.ts';
import { cleanEvents } from './clean-events.ts';
import { learnSecrets } from './learn-secrets.ts';
import { createTally, removedEarlier } from './tally.ts';

interface PageOptions {
  /** Outputs and long lists whole. */
  readonly full: boolean;
  /** No text of the session at all. */
  readonly structure: boolean;
  readonly sentence: PageSource['sentence'];
}

/** Tasks whose changes are read one by one: each asks git. Beyond it only the session's are. */
const mostDiffs = 60;
/** Bytes of one log that `full` shows, from its end. */
const mostOutput = 256 * 1024;
/** Lines of a failed attempt's output that every page shows. */
const tailLines = 12;
const tailBytes = 16 * 1024;

/** Reads a session as a page. Every text is redacted before it is cut, and once more in the finished model. */
export const readPage = async (cli: Cli, session: OpenJournal, options: PageOptions): Promise<PageModel> => {
  const { world, host } = session;
  learnSecrets(cli, session);
  const tally = createTally(world.secrets);
  const { events: clean, nameOf } = cleanEvents(tally, session.events);
  const events = options.structure ? structureOf(clean) : clean;
  const state = evolveAll(null, events);
  const texts = options.structure ? noTexts : await textsOf(cli, session, tally.redact, nameOf, options.full);
  const now = world.clock.now();
  const model = buildModel({
    ...texts,
    events,
    state,
    isRun: host?.alive === true && state.running,
    now,
    offset: world.clock.offsetMinutes(now),
    removed: [],
    sentence: options.sentence,
    full: options.full,
    structure: options.structure,
  });
  // What only `safe()` has put together is a secret as well.
  const last = createTally(world.secrets);
  const whole = cleanModel(last.redact, model);
  const late = last.removed().filter(({ kind }) => kind !== removedEarlier);
  return { ...whole, removed: [...tally.removed(), ...late] };
};

/** Redaction keeps the shape of plain data. */
const cleanModel = <T extends object>(redact: Redact, model: T): T => {
  const clean = new Map(Object.entries(model).map(([key, value]) => [key, redactDeep(redact, value)]));
  return { ...model, ...Object.fromEntries(clean) };
};

type Texts = Pick<PageSource, 'changes' | 'diffs' | 'outputs' | 'reports' | 'lessons'>;

const noTexts: Texts = {
  changes: null,
  diffs: new Map(),
  outputs: new Map(),
  reports: new Map(),
  lessons: new Map(),
};

/** Reads by the names that files and git know, and keeps what it found under redacted ones. */
const textsOf = async (
  cli: Cli,
  session: OpenJournal,
  redact: Redact,
  nameOf: (task: string) => string,
  full: boolean,
): Promise<Texts> => {
  const history = createAttemptHistory();
  for (const event of session.events) history.take(event, null);
  const { state, paths, world } = session;
  const recorded = await recordedSessions(paths.workspace, paths.session);
  const read = (task: string | null): Promise<SourceChanges> =>
    changesOf(cli, session, { redact, nameOf }, changesRef(state, history, task), recorded);
  const changed = [...state.tasks.keys()].filter((task) => history.of(task).length > 0);
  const diffs = new Map<string, SourceChanges>();
  if (changed.length <= mostDiffs) for (const task of changed) diffs.set(nameOf(task), await read(task));
  const outputs = new Map<string, string>();
  const reports = new Map<string, string>();
  for (const [task, { attempt, iteration }] of state.tasks) {
    for (const { number, outcome } of history.of(task)) {
      const bytes = full ? mostOutput : outcome === 'failed' ? tailBytes : 0;
      const output = bytes === 0 ? null : readTail(session, paths.log(task, number), bytes);
      if (output === null) continue;
      const shown = safeBlock(safeOutput(redact(output))).trimEnd();
      outputs.set(
        stepsKey(nameOf(task), number),
        full ? shown : shown.split('\n').slice(-tailLines).join('\n'),
      );
    }
    const report = attempt > 0 ? textAt(world, paths.iteration(iteration).report(task, attempt)) : null;
    if (report !== null) reports.set(nameOf(task), redact(report));
  }
  return { changes: await read(null), diffs, outputs, reports, lessons: lessonsOf(session, redact) };
};

interface Clean {
  readonly redact: Redact;
  /** The name of a task without secrets. */
  readonly nameOf: (task: string) => string;
}

const changesOf = async (
  { env }: Cli,
  { world, paths }: OpenJournal,
  { redact, nameOf }: Clean,
  wanted: Parameters<typeof readAnyChanges>[1],
  recorded: readonly string[],
): Promise<SourceChanges> => {
  const {
    files,
    diff,
    missing,
    unmerged = [],
  } = await readAnyChanges({ world, paths, env }, wanted, {
    mostNew: 500,
    recorded,
  });
  const clean = (all: SourceChanges['files']) => all.map((file) => ({ ...file, path: redact(file.path) }));
  return {
    files: clean(files),
    diff: redact(diff),
    missing,
    unmerged: unmerged.map((work) => ({ task: nameOf(work.task), files: clean(work.files) })),
  };
};

const lessonsOf = ({ state, paths, world }: OpenJournal, redact: Redact): ReadonlyMap<string, string> => {
  const { staged, carried, promoted } = state.knowledge;
  const place = paths.iteration(state.iteration).knowledge;
  return new Map(
    [...new Set([...staged, ...carried, ...promoted])].flatMap((file) => {
      // Names from the journal never lead out of the directory.
      const text = /^[\w-]+\/[^/\\]+\.md$/.test(file) ? textAt(world, join(place, file)) : null;
      return text === null ? [] : [[redact(file), redact(text)] as const];
    }),
  );
};

/** A text file of the session; `null` where there is none that can be read. */
const textAt = ({ disk }: OpenJournal['world'], path: string): string | null => {
  try {
    return readText(disk, path);
  } catch (error) {
    if (error instanceof DiskError) return null;
    throw error;
  }
};

/** The last whole lines of a log. A secret is never cut by the edge: the first line is left out. */
const readTail = ({ world: { disk } }: OpenJournal, path: string, most: number): string | null => {
  if (disk.lstat(path)?.kind !== 'file') return null;
  const handle = disk.openRead(path);
  try {
    const { size } = disk.stat(handle);
    const from = Math.max(0, size - most);
    const text = new TextDecoder().decode(disk.read(handle, from, size - from));
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    disk.close(handle);
  }
};
