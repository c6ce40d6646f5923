import { type Clock, formatTimestamp } from '../../base/clock.ts';
import type { Fault, Parsed } from '../../base/fault.ts';
import type { EventBody } from '../../pipeline/event.ts';
import type { SessionState } from '../../pipeline/state.ts';
import {
  editIteration,
  formatIteration,
  type IterationMetadata,
  parseIteration,
} from '../../session/iteration-file.ts';
import {
  editMetadata,
  formatMetadata,
  handEdits,
  type Metadata,
  parseMetadata,
  reprintMetadata,
} from '../../session/metadata-file.ts';
import type { SessionPaths } from '../../session/paths.ts';
import { isComplete } from '../../session/status.ts';
import { countTasks } from '../../tasks/count-tasks.ts';
import { createOwnYaml } from './own-yaml.ts';
import type { Edits, SnapshotFile } from './snapshot-file.ts';

interface Ports {
  readonly clock: Clock;
  readonly paths: SessionPaths;
}

/** `metadata.yaml`, the state machine's record. A person's edits are adopted key by key. */
export const metadataSnapshot = ({ clock, paths }: Ports): SnapshotFile => {
  const read = createReader((text) => parseMetadata(text));
  const own = createOwnYaml<Metadata>({
    format: formatMetadata,
    edit: editMetadata,
    unreadable: (text) => isBroken(read(text).problems),
    reprint: (text) => reprintMetadata(read(text).value),
    gist: (metadata) => JSON.stringify({ ...metadata, version: 0, updated_at: '', journal_seq: 0 }),
  });
  return {
    path: () => paths.metadata,
    render: (state, current, written) => {
      const before = own.known(current) ?? read(current ?? written ?? '').value;
      return own.render(current, metadataOf(state, clock, (before.version ?? 0) + 1));
    },
    same: sameButCounters,
    edits: (base, theirs, state, file) => {
      if (unreadable(theirs)) return { facts: [], conflicts: ['it can no longer be read as YAML'] };
      return keyEdits(base, theirs, formatMetadata(metadataOf(state, clock, 1)), file);
    },
  };
};

/** `iterations/<N>/metadata.yaml`, the timing of the iteration. */
export const iterationSnapshot = ({ clock, paths }: Ports): SnapshotFile => {
  const read = createReader((text) => parseIteration(text, 0));
  const own = createOwnYaml<IterationMetadata>({
    format: formatIteration,
    edit: editIteration,
    unreadable: (text) => isBroken(read(text).problems),
    reprint: (text) => formatIteration(read(text).value),
    gist: (timing) => JSON.stringify({ ...timing, version: 0 }),
  });
  const said = (text: string | null): IterationMetadata | null =>
    text === null || isBroken(read(text).problems) ? null : read(text).value;
  return {
    path: (state) => paths.iteration(state.iteration).metadata,
    render: (state, current) => {
      const before = own.known(current) ?? said(current);
      return own.render(current, timingOf(state, clock, before));
    },
    same: sameButCounters,
    edits: (base, theirs, _state, file) => {
      if (unreadable(theirs)) return { facts: [], conflicts: ['it can no longer be read as YAML'] };
      return keyEdits(base, theirs, base, file);
    },
  };
};

/** Keys that change with every write; people do not edit them. */
const counters: ReadonlySet<string> = new Set(['version', 'updated_at', 'journal_seq']);

const sameButCounters = (a: string, b: string): boolean =>
  a === b || withoutCounters(a) === withoutCounters(b);

const withoutCounters = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !counters.has(line.slice(0, Math.max(0, line.indexOf(':')))))
    .join('\n');

const isBroken = (problems: readonly Fault[]): boolean =>
  problems.some(({ code }) => code !== 'metadata-value');

const unreadable = (text: string): boolean => isBroken(parseMetadata(text).problems);

/** Remembers the last text: the same one is parsed several times in a row. */
const createReader = <T>(parse: (text: string) => Parsed<T>): ((text: string) => Parsed<T>) => {
  let last: { readonly text: string; readonly parsed: Parsed<T> } | null = null;
  return (text) => {
    if (last?.text !== text) last = { text, parsed: parse(text) };
    return last.parsed;
  };
};

const keyEdits = (base: string, theirs: string, ours: string, file: string): Edits => {
  const mine = new Map(handEdits(base, ours).map(({ key, value }) => [key, JSON.stringify(value)]));
  const facts: EventBody[] = [];
  const conflicts: string[] = [];
  for (const { key, value } of handEdits(base, theirs)) {
    if (counters.has(key)) continue;
    const changed = mine.get(key);
    if (changed === undefined) facts.push({ type: 'metadata.edited-by-hand', file, key, value });
    else if (changed !== JSON.stringify(value))
      conflicts.push(`${key} became ${changed} here and ${JSON.stringify(value)} in the file`);
  }
  return { facts, conflicts };
};

const metadataOf = (state: SessionState, clock: Clock, version: number): Metadata => {
  const stamp = (iso: string): string => formatTimestamp(clock, iso === '' ? clock.now() : Date.parse(iso));
  const deadline = state.gate?.deadlineMs ?? null;
  return {
    version,
    session_id: state.session,
    created_at: stamp(state.created),
    updated_at: formatTimestamp(clock),
    status: state.status,
    iteration: state.iteration,
    orchestrator: {
      state: state.state,
      current_wave: state.wave,
      previous_state: state.previous,
      paused: state.hold && { since: stamp(state.hold.since), signal: state.hold.signal, by: state.hold.by },
      deadline: deadline === null ? null : formatTimestamp(clock, deadline),
      stop_reason: state.stopReason,
    },
    tasks: totalsOf(state),
    journal_seq: state.seq,
  };
};

const totalsOf = (state: SessionState): Metadata['tasks'] => {
  const { total, completed, failed, pending, cancelled } = countTasks(state.tasks);
  return { total, completed, failed, pending, cancelled };
};

/** Sets each date when its event is first seen. The file remembers them. */
const timingOf = (state: SessionState, clock: Clock, before: IterationMetadata | null): IterationMetadata => {
  const now = formatTimestamp(clock, state.at === '' ? clock.now() : Date.parse(state.at));
  const planned =
    state.planItems.get(state.iteration > 1 ? 'plan-rebreakdown' : 'plan-breakdown')?.mark === 'done';
  const begun = state.iteration === 1 ? formatTimestamp(clock, Date.parse(state.created)) : now;
  return {
    version: (before?.version ?? 0) + 1,
    iteration: state.iteration,
    started_at: before?.started_at ?? begun,
    planning_complete: planned,
    planning_completed_at: planned ? (before?.planning_completed_at ?? now) : null,
    completed_at: isComplete(state) ? (before?.completed_at ?? now) : null,
    tasks_defined: [...state.tasks.values()].filter(
      ({ definition }) => definition.iteration === state.iteration,
    ).length,
  };
};
