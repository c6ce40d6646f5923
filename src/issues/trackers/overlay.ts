import { join } from 'node:path';
import { z } from 'zod';
import { formatTimestamp } from '../../base/clock.ts';
import type { Checked, Fault } from '../../base/fault.ts';
import {
  commentSchema,
  estimateSchema,
  type Issue,
  type IssueComment,
  type IssueId,
  issueLockSchema,
  withoutAuthor,
} from '../issue.ts';
import { type IssueState, isLockedState, issueStateSchema, isTerminal } from '../state.ts';
import { appendLine, readLines } from './append-lines.ts';
import { withFileLock } from './file-lock.ts';
import { failed, guarded, unwrapped } from './guarded.ts';
import { foreignLock } from './state-labels.ts';
import {
  changedMeanwhile,
  type IssueChange,
  type IssueEditing,
  type Tracker,
  type TrackerPorts,
} from './tracker.ts';

/** What a tracker can keep itself. The overlay keeps the rest. */
type Kept = 'states' | 'locks' | 'estimates' | 'comments';

/** A tracker without a place for some things. Its `update` opens and closes issues and ignores what it cannot keep. */
export interface PartialTracker extends Tracker {
  readonly keeps: ReadonlySet<Kept>;
  /** The state it shows after a change to `state`, from the one it shows now. Absent: it only opens and closes issues. */
  readonly willShow?: (state: IssueState, now: IssueState) => Promise<IssueState>;
}

const entrySchema = z.object({
  id: z.string(),
  at: z.string(),
  /** The state that the tracker itself shows after this change. A person who moves the issue there later overrules the entry. */
  shown: issueStateSchema.optional(),
  state: issueStateSchema.optional(),
  lock: issueLockSchema.nullable().optional(),
  estimate: estimateSchema.optional(),
  comment: commentSchema.optional(),
});
type Entry = z.infer<typeof entrySchema>;

/**
 * Adds states, locks, estimates and comments to a tracker that has no place for them, in `.ralph/issues/overlay/<tracker>.jsonl`. Lines are only
 * appended; the last one counts.
 */
export const withOverlay = (base: PartialTracker, ports: TrackerPorts): Tracker => {
  const overlay: Overlay = {
    base,
    ports,
    path: join(ports.workspace, '.ralph', 'issues', 'overlay', `${base.name}.jsonl`),
  };
  return {
    name: base.name,
    isShared: base.isShared,
    list: async () => {
      const reading = await base.list();
      if (!reading.ok) return reading;
      const added = await guarded(async () => ({ ok: true, value: read(overlay) }));
      // Without its locks and states an issue would seem free to take.
      if (!added.ok) return failed(added.faults);
      const { entriesOf, problems } = added.value;
      const issues = reading.issues.map((issue) => merged(overlay, issue, entriesOf.get(issue.id) ?? []));
      return { ok: true, issues, problems: [...reading.problems, ...problems] };
    },
    show: (id) => guarded(() => show(overlay, id)),
    update: (id, change, revision) => guarded(() => update(overlay, id, change, revision)),
    comment: (id, body) =>
      base.keeps.has('comments') ? base.comment(id, body) : guarded(() => comment(overlay, id, body)),
    create: (draft) => guarded(() => create(overlay, draft)),
    ...(base.editing === undefined ? {} : { editing: editingOf(overlay, base.editing) }),
  };
};

const editingOf = (overlay: Overlay, { keys, edit }: IssueEditing): IssueEditing => ({
  keys,
  edit: async (id, change) => {
    const edited = await edit(id, change);
    return edited.ok ? guarded(() => show(overlay, id)) : edited;
  },
});

interface Overlay {
  readonly base: PartialTracker;
  readonly ports: TrackerPorts;
  readonly path: string;
}

const read = (
  overlay: Overlay,
): { readonly entriesOf: ReadonlyMap<IssueId, readonly Entry[]>; readonly problems: readonly Fault[] } => {
  const { records, problems } = readLines(overlay.ports, overlay.path, entrySchema);
  return { entriesOf: Map.groupBy(records, ({ id }) => id), problems };
};

/** The issue as the tracker shows it, with what the overlay adds. */
const merged = ({ base }: Overlay, issue: Issue, entries: readonly Entry[]): Issue => {
  const { keeps, isShared } = base;
  const state = keeps.has('states') ? issue.state : stateOf(issue, entries);
  const lock = keeps.has('locks') ? issue.lock : lockOf(issue, state, entries, isShared);
  const estimate = entries.findLast((entry) => entry.estimate !== undefined)?.estimate;
  const { lock: _lock, ...rest } = issue;
  return {
    ...rest,
    state,
    estimate: issue.estimate ?? estimate ?? null,
    ...(lock === undefined ? {} : { lock }),
    comments: [
      ...issue.comments,
      ...entries.flatMap((entry) => (entry.comment ? [withoutAuthor(entry.comment)] : [])),
    ],
    revision: entries.length === 0 ? issue.revision : `${issue.revision}.${entries.length}`,
  };
};

const stateOf = (issue: Issue, entries: readonly Entry[]): IssueState => {
  const entry = entries.findLast(({ state }) => state !== undefined);
  return entry?.state !== undefined && entry.shown === issue.state ? entry.state : issue.state;
};

/**
 * Our lock, as long as the issue is in the state in which we took it. On a shared tracker somebody else put an issue into a locked state that we did not:
 * a colleague's session works on it, and only a person decides otherwise.
 */
const lockOf = (
  issue: Issue,
  state: IssueState,
  entries: readonly Entry[],
  isShared: boolean,
): Issue['lock'] => {
  const locked = entries.findLast(({ lock }) => lock !== undefined);
  const moved = entries.findLast((entry) => entry.state !== undefined);
  const isStillSo = locked?.state === undefined || locked.state === state;
  if (isStillSo && locked?.lock) return locked.lock;
  if (issue.lock !== undefined) return issue.lock;
  return isShared && isLockedState(state) && moved?.state !== state ? foreignLock('') : undefined;
};

const show = async (overlay: Overlay, id: IssueId): Promise<Checked<Issue>> => {
  const issue = await overlay.base.show(id);
  if (!issue.ok) return issue;
  return { ok: true, value: merged(overlay, issue.value, read(overlay).entriesOf.get(id) ?? []) };
};

const update = async (
  overlay: Overlay,
  id: IssueId,
  change: IssueChange,
  revision: string | null,
): Promise<Checked<Issue>> => {
  const shown = unwrapped(await overlay.base.show(id));
  const before = merged(overlay, shown, read(overlay).entriesOf.get(id) ?? []);
  if (revision !== null && before.revision !== revision) return changedMeanwhile(id);
  const written = await record(overlay, shown, change, before.revision);
  return written === null
    ? changedMeanwhile(id)
    : { ok: true, value: merged(overlay, written, read(overlay).entriesOf.get(id) ?? []) };
};

/**
 * Writes the entry if nothing was written since, and then the tracker: an entry without its change is overruled by what the tracker shows. Returns what the
 * tracker shows now; `null`: somebody was faster.
 */
const record = async (
  overlay: Overlay,
  shown: Issue,
  change: IssueChange,
  seen: string,
): Promise<Issue | null> => {
  const { base, ports, path } = overlay;
  const { id } = shown;
  const { state } = change;
  const wanted = state === undefined ? shown.state : await stateShown(base, state, shown.state);
  const entry: Entry = { id, at: formatTimestamp(ports.clock), shown: wanted, ...change };
  ports.disk.mkdir(join(path, '..'));
  const isOurs = await withFileLock(ports, path, () => {
    const now = merged(overlay, shown, read(overlay).entriesOf.get(id) ?? []);
    if (now.revision !== seen) return false;
    appendLine(ports, path, entry);
    return true;
  });
  if (!isOurs) return null;
  const needsBase = base.keeps.has('states') || wanted !== shown.state;
  return needsBase || base.keeps.has('estimates') ? unwrapped(await base.update(id, change, null)) : shown;
};

const stateShown = async (base: PartialTracker, state: IssueState, now: IssueState): Promise<IssueState> => {
  if (base.keeps.has('states')) return state;
  if (base.willShow !== undefined) return base.willShow(state, now);
  return isTerminal(state) ? 'Done' : 'Backlog';
};

const comment = async (overlay: Overlay, id: IssueId, body: string): Promise<Checked<IssueComment>> => {
  const { base, ports, path } = overlay;
  const issue = await base.show(id);
  if (!issue.ok) return issue;
  const at = formatTimestamp(ports.clock);
  const made: IssueComment = { id: ports.random.hex(16), author: null, role: null, body, at, editedBy: null };
  ports.disk.mkdir(join(path, '..'));
  await withFileLock(ports, path, () => appendLine(ports, path, { id, at, comment: made }));
  return { ok: true, value: made };
};

const create = async (overlay: Overlay, draft: Parameters<Tracker['create']>[0]): Promise<Checked<Issue>> => {
  const made = await overlay.base.create(draft);
  if (!made.ok || draft.estimate === undefined || overlay.base.keeps.has('estimates')) return made;
  return update(overlay, made.value.id, { estimate: draft.estimate }, null);
};
