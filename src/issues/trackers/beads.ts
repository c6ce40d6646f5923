import { join } from 'node:path';
import { z } from 'zod';
import { type Checked, type Fault, FaultError } from '../../base/fault.ts';
import type { Issue, IssueComment, IssueId } from '../issue.ts';
import { isLockedState, isTerminal } from '../state.ts';
import { readLines } from './append-lines.ts';
import {
  type BeadsIssue,
  beadsCommentSchema,
  beadsIssueSchema,
  canceledLabel,
  commentOfBeads,
  issueOfBeads,
  isWorking,
} from './beads-issue.ts';
import { failed, guarded } from './guarded.ts';
import { eachBy } from './lenient.ts';
import type { PartialTracker } from './overlay.ts';
import {
  askProgram,
  checkedBy,
  isMissingProgram,
  jsonFrom,
  type ProgramPorts,
  type TrackerProgram,
} from './program.ts';
import { labelChanges } from './state-labels.ts';
import { type IssueChange, type IssueDraft, noSuchIssue, type Reading, refused } from './tracker.ts';

/**
 * Issues of beads through its program `bd`. Its database is never opened. Without `bd` the export `.beads/issues.jsonl` can be read and not changed.
 * States and sizes are labels; `--claim` takes an issue in one step.
 */
export const createBeadsTracker = (ports: ProgramPorts): PartialTracker => ({
  name: 'beads',
  isShared: true,
  keeps: new Set(['states', 'estimates', 'comments']),
  list: () => list(ports),
  show: (id) => guarded(() => show(ports, id)),
  update: (id, change) => guarded(() => update(ports, id, change)),
  comment: (id, body) => guarded(() => comment(ports, id, body)),
  create: (draft) => guarded(() => create(ports, draft)),
});

const bd: TrackerProgram = {
  name: 'bd',
  installHint: 'install beads, or set flow.tracker',
  inherit: ['BEADS_DIR', 'BEADS_ACTOR', 'BD_ACTOR'],
  explain: ({ error, out }, args): Fault | null => {
    const said = `${error}\n${out}`;
    if (/no active beads workspace|no beads database|bd init/i.test(said))
      return {
        code: 'tracker-no-workspace',
        what: 'there is no beads workspace here',
        hint: 'run `bd init`',
      };
    if (saysNoIssue(said, args))
      return { code: 'issue-unknown', what: 'there is no such issue', hint: 'see `ralph-tui issues`' };
    if (/already claimed|claimed by/i.test(said))
      return {
        code: 'issue-locked',
        what: 'the issue is claimed by someone else',
        hint: 'wait until it is released',
      };
    return null;
  },
};

/** "not found" alone may be said of a program or of a database: the sentence has to name the issue that was asked for. */
const saysNoIssue = (said: string, args: readonly string[]): boolean =>
  said
    .split('\n')
    .some(
      (line) =>
        /\bnot found\b|\bno issues?\b/i.test(line) &&
        args.slice(1).some((arg) => idPattern.test(arg) && arg.length > 1 && line.includes(arg)),
    );

const ask = (ports: ProgramPorts, args: readonly string[], input?: string): Promise<string> =>
  askProgram(ports, bd, args, input);

/** Anything else could be read as an option. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

const list = async (ports: ProgramPorts): Promise<Reading> => {
  const read = await guarded(async () => {
    const text = await ask(ports, ['list', '--all', '--limit', '0', '--json']);
    return { ok: true, value: jsonFrom('bd', text, eachBy('bd', beadsIssueSchema)) };
  });
  if (read.ok) return { ok: true, issues: issuesOf(read.value.read), problems: read.value.problems };
  const isMissing = read.faults.some(isMissingProgram);
  if (!isMissing) return failed(read.faults);
  const exported = await guarded(async () => ({ ok: true, value: readExport(ports) }));
  return exported.ok ? (exported.value ?? failed(read.faults)) : failed(exported.faults);
};

const issuesOf = (beads: readonly BeadsIssue[]): readonly Issue[] => {
  const known = new Set(beads.map(({ id }) => id));
  return beads.map((bead) => issueOfBeads(bead, (id) => known.has(id)));
};

/** An export that was appended to has a bead more than once: its last line counts. */
const newest = (beads: readonly BeadsIssue[]): readonly BeadsIssue[] => [
  ...new Map(beads.map((bead) => [bead.id, bead])).values(),
];

const exportFile = '.beads/issues.jsonl';

/** The export for viewers; `null` when there is none. */
const readExport = (ports: ProgramPorts): Reading | null => {
  const path = join(ports.workspace, exportFile);
  if (ports.disk.lstat(path) === null) return null;
  const { records, problems } = readLines(ports, path, beadsIssueSchema);
  const notice = {
    code: 'tracker-notice',
    what: `bd cannot be started, so issues are read from ${exportFile} and cannot be changed`,
    hint: bd.installHint,
  };
  return { ok: true, issues: issuesOf(newest(records)), problems: [notice, ...problems] };
};

const show = async (ports: ProgramPorts, id: IssueId): Promise<Checked<Issue>> => {
  if (!idPattern.test(id)) return noSuchIssue(id);
  const bead = await rawOrExported(ports, id);
  if (bead === undefined) return noSuchIssue(id);
  return { ok: true, value: issueOfBeads(bead, () => true) };
};

const rawOrExported = async (ports: ProgramPorts, id: IssueId): Promise<BeadsIssue | undefined> => {
  try {
    return await raw(ports, id);
  } catch (error) {
    const path = join(ports.workspace, exportFile);
    const isMissing = error instanceof FaultError && isMissingProgram(error.fault);
    if (!isMissing || ports.disk.lstat(path) === null) throw error;
    return readLines(ports, path, beadsIssueSchema).records.findLast((bead) => bead.id === id);
  }
};

const raw = async (ports: ProgramPorts, id: IssueId): Promise<BeadsIssue | undefined> => {
  const text = await ask(ports, ['show', id, '--json']);
  const [bead] = jsonFrom('bd', text, checkedBy(z.array(beadsIssueSchema)));
  if (bead === undefined) return undefined;
  const comments = jsonFrom(
    'bd',
    await ask(ports, ['comments', id, '--json']),
    checkedBy(z.array(beadsCommentSchema).nullable()),
  );
  return { ...bead, comments };
};

const update = async (ports: ProgramPorts, id: IssueId, change: IssueChange): Promise<Checked<Issue>> => {
  const now = idPattern.test(id) ? await raw(ports, id) : undefined;
  if (now === undefined) return noSuchIssue(id);
  const { state, lock } = change;
  const isClosed = now.status === 'closed';
  if (state !== undefined && isClosed && !isTerminal(state)) await ask(ports, ['reopen', id, '--json']);
  if (lock) await ask(ports, ['update', id, '--claim', '--json']);
  const { add, remove } = labelChanges(now.labels ?? [], change);
  const args = [
    ...[...add, ...(state === 'Canceled' ? [canceledLabel] : [])].map((label) => `--add-label=${label}`),
    ...remove.map((label) => `--remove-label=${label}`),
    ...(isGivenBack(now, change) ? ['--status=open', '--assignee='] : []),
  ];
  if (args.length > 0) await ask(ports, ['update', id, ...args, '--json']);
  if (state !== undefined && isTerminal(state) && !isClosed)
    await ask(ports, ['close', id, `--reason=${state}`, '--json']);
  return show(ports, id);
};

/** A claim ends with its lock, and with a state in which nobody works. */
const isGivenBack = ({ status }: BeadsIssue, { state, lock }: IssueChange): boolean =>
  lock === null || (isWorking(status) && !lock && state !== undefined && !isLockedState(state));

const comment = async (ports: ProgramPorts, id: IssueId, body: string): Promise<Checked<IssueComment>> => {
  if (!idPattern.test(id)) return noSuchIssue(id);
  const text = await ask(ports, ['comments', 'add', id, '--json', '--', body]);
  return { ok: true, value: commentOfBeads(jsonFrom('bd', text, checkedBy(beadsCommentSchema))) };
};

const create = async (ports: ProgramPorts, draft: IssueDraft): Promise<Checked<Issue>> => {
  const { title, body = '', labels = [], estimate, parent, blockedBy = [] } = draft;
  if (title.trim() === '') return refused('issue-title', 'an issue needs a title');
  const sizes = labelChanges([], estimate === undefined ? {} : { estimate }).add;
  const text = await ask(
    ports,
    [
      'create',
      `--title=${title.trim()}`,
      '--body-file=-',
      ...[...labels, ...sizes].map((label) => `--label=${label}`),
      ...(parent === undefined ? [] : [`--parent=${parent}`]),
      '--json',
    ],
    body,
  );
  const { id } = jsonFrom('bd', text, checkedBy(z.looseObject({ id: z.string() })));
  for (const blocker of blockedBy) await ask(ports, ['dep', 'add', id, blocker, '--json']);
  return show(ports, id);
};
