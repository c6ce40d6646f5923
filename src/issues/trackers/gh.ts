import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { Checked } from '../../base/fault.ts';
import { type Fault, FaultError } from '../../base/fault.ts';
import type { ToolResult } from '../../base/process/run-tool.ts';
import type { Issue, IssueComment, IssueId } from '../issue.ts';
import { type IssueState, isTerminal } from '../state.ts';
import { withEdges } from './body-edges.ts';
import { baseFields, commentOf, edgeFields, type GhIssue, ghIssueSchema, issueOfGh } from './gh-issue.ts';
import { createLooks, type Looks } from './gh-looks.ts';
import { failed, guarded } from './guarded.ts';
import { eachBy } from './lenient.ts';
import type { PartialTracker } from './overlay.ts';
import { askProgram, checkedBy, jsonFrom, type ProgramPorts, type TrackerProgram } from './program.ts';
import { factsFromLabels, labelChanges } from './state-labels.ts';
import {
  type IssueChange,
  type IssueDraft,
  type IssueEdit,
  noSuchIssue,
  type Reading,
  refused,
} from './tracker.ts';

/** More than any repository with an issue list that people still read. */
const mostIssues = 20_000;

/** The version of gh that knows parents and blockers. */
const edgeVersion = [2, 94] as const;

/**
 * GitHub issues through the program `gh`, which has its own login. States and sizes are labels. Before 2.94, `gh` knows no edges: they are read from
 * and written to the text of an issue, and each reading says so.
 */
export const createGhTracker = (ports: ProgramPorts): PartialTracker => {
  const ask: Context['ask'] = (args, input) => askProgram(ports, gh, args, input);
  let known: boolean | null = null;
  const labels = new Set<string>();
  const context: Context = {
    ask,
    labels,
    looks: createLooks(ports.clock),
    clock: ports.clock,
    hasEdges: async () => (known ??= await knowsEdges(ask)),
  };
  return {
    name: 'gh',
    isShared: true,
    keeps: new Set(['states', 'estimates', 'comments']),
    list: () => list(context),
    show: (id) => guarded(() => show(context, id)),
    update: (id, change) => guarded(() => update(context, id, change)),
    comment: (id, body) => guarded(() => comment(context, id, body)),
    create: (draft) => guarded(() => create(context, draft)),
    editing: { keys: ['title', 'labels'], edit: (id, change) => guarded(() => edit(context, id, change)) },
  };
};

interface Context {
  readonly ask: (args: readonly string[], input?: string) => Promise<string>;
  /** Those that the repository is known to have. */
  readonly labels: Set<string>;
  /** Issues as they were read a moment ago. */
  readonly looks: Looks;
  readonly clock: Clock;
  /** Asks for the version once. */
  readonly hasEdges: () => Promise<boolean>;
}

export const gh: TrackerProgram = {
  name: 'gh',
  installHint: 'install the GitHub CLI, or set flow.tracker',
  inherit: ['GH_TOKEN', 'GITHUB_TOKEN', 'GH_ENTERPRISE_TOKEN', 'GH_HOST', 'GH_CONFIG_DIR', 'GH_REPO'],
  explain: ({ exit, error }: ToolResult): Fault | null => {
    const code = exit.kind === 'exited' ? exit.code : 1;
    // It advises to log in there, which is no help where a remote is behind a name of ssh's configuration.
    if (/none of the git remotes configured for this repository point to/.test(error))
      return {
        code: 'tracker-remote',
        what: 'gh cannot tell which repository on GitHub this one is, because no remote names a host that it knows',
        hint: 'run `gh repo set-default OWNER/NAME`, or set GH_REPO=OWNER/NAME',
      };
    if (code === 4 || /gh auth login|HTTP 401/.test(error))
      return { code: 'tracker-login', what: 'gh is not logged in', hint: 'run `gh auth login`' };
    if (/rate limit/i.test(error))
      return {
        code: 'tracker-rate-limit',
        what: "GitHub's rate limit is exceeded",
        hint: 'try again later',
      };
    const status = /HTTP (5\d\d)/.exec(error)?.[1];
    if (status !== undefined)
      return { code: 'tracker-failed', what: `GitHub answered ${status}`, hint: 'try again later' };
    if (/Could not resolve to an (?:issue|Issue)/.test(error))
      return { code: 'issue-unknown', what: 'there is no such issue', hint: 'see `ralph-tui issues`' };
    return null;
  },
};

const knowsEdges = async (ask: Context['ask']): Promise<boolean> => {
  const [, major, minor] = /gh version (\d+)\.(\d+)/.exec(await ask(['--version'])) ?? [];
  const [wantedMajor, wantedMinor] = edgeVersion;
  return Number(major) > wantedMajor || (Number(major) === wantedMajor && Number(minor) >= wantedMinor);
};

const oldVersion: Fault = {
  code: 'tracker-notice',
  what: `this version of gh does not support parents and blockers, so they are read from lines such as "Blocked by: #12" in the text`,
  hint: `update gh to ${edgeVersion.join('.')}`,
};

const fieldsFor = (edges: boolean, ...more: readonly string[]): string =>
  [...baseFields, ...(edges ? edgeFields : []), ...more].join(',');

const list = async (context: Context): Promise<Reading> => {
  context.looks.clear();
  const read = await guarded(async () => {
    const edges = await context.hasEdges();
    const args = [
      'issue',
      'list',
      '--state',
      'all',
      '--limit',
      String(mostIssues),
      '--json',
      fieldsFor(edges),
    ];
    const { read: items, problems: odd } = jsonFrom(
      'gh',
      await context.ask(args),
      eachBy('gh', ghIssueSchema),
    );
    const unknown = items.flatMap(({ number, labels }) => unknownState(number, labels));
    const problems = [...(edges ? [] : [oldVersion]), ...odd, ...unknown];
    const issues = items.map((item) => issueOfGh(item, edges)).reverse();
    return { ok: true, value: { issues, problems } };
  });
  return read.ok ? { ok: true, ...read.value } : failed(read.faults);
};

const unknownState = (number: number, labels: readonly { readonly name: string }[]): readonly Fault[] => {
  const { unknown } = factsFromLabels(labels.map(({ name }) => name));
  if (unknown === null) return [];
  const what = `issue ${number} has an unknown state label (state:${unknown}), so it needs a person`;
  return [{ code: 'issue-state', what, hint: 'see `ralph-tui issues move --help`' }];
};

/** Anything else could be read as an option or as an issue of another repository. */
const isNumber = (id: IssueId): boolean => /^[1-9]\d{0,14}$/.test(id);

const raw = async (context: Context, id: IssueId): Promise<GhIssue> => {
  const { ask, hasEdges, looks } = context;
  const recent = looks.of(id);
  if (recent !== null) return recent;
  const text = await ask(['issue', 'view', id, '--json', fieldsFor(await hasEdges(), 'comments')]);
  const issue = jsonFrom('gh', text, checkedBy(ghIssueSchema));
  looks.keep(id, issue);
  return issue;
};

/** Changes an issue. Nothing that was read of it before counts then, also when the change failed half way. */
const changing = async (
  context: Context,
  id: IssueId,
  args: readonly string[],
  input?: string,
): Promise<string> => {
  context.looks.drop(id);
  return context.ask(args, input).finally(() => context.looks.drop(id));
};

const show = async (context: Context, id: IssueId): Promise<Checked<Issue>> => {
  if (!isNumber(id)) return noSuchIssue(id);
  return { ok: true, value: issueOfGh(await raw(context, id), await context.hasEdges()) };
};

const update = async (context: Context, id: IssueId, change: IssueChange): Promise<Checked<Issue>> => {
  if (!isNumber(id)) return noSuchIssue(id);
  const now = await raw(context, id);
  const { add, remove } = labelChanges(
    now.labels.map(({ name }) => name),
    change,
  );
  await ensureLabels(context, add);
  if (add.length + remove.length > 0)
    await changing(context, id, [
      'issue',
      'edit',
      id,
      ...add.map((label) => `--add-label=${label}`),
      ...remove.map((label) => `--remove-label=${label}`),
    ]);
  const { state } = change;
  const isClosed = now.state.toUpperCase() === 'CLOSED';
  if (state !== undefined && isTerminal(state) !== isClosed)
    await changing(
      context,
      id,
      isClosed
        ? ['issue', 'reopen', id]
        : ['issue', 'close', id, '--reason', state === 'Done' ? 'completed' : 'not planned'],
    );
  context.looks.keep(id, {
    ...now,
    labels: [...now.labels.filter(({ name }) => !remove.includes(name)), ...add.map((name) => ({ name }))],
    ...(state === undefined ? {} : closing(state)),
  });
  return show(context, id);
};

/** What the change of a state makes of an issue on GitHub, which refuses the change or makes all of it. */
const closing = (state: IssueState): Pick<GhIssue, 'state' | 'stateReason'> =>
  isTerminal(state)
    ? { state: 'CLOSED', stateReason: state === 'Done' ? 'COMPLETED' : 'NOT_PLANNED' }
    : { state: 'OPEN', stateReason: null };

/** Our own labels, of states and sizes, stay. */
const edit = async (context: Context, id: IssueId, { title, labels }: IssueEdit): Promise<Checked<Issue>> => {
  if (!isNumber(id)) return noSuchIssue(id);
  const now = factsFromLabels((await raw(context, id)).labels.map(({ name }) => name)).labels;
  const added = (labels ?? now).filter((label) => !now.includes(label));
  const removed = labels === undefined ? [] : now.filter((label) => !labels.includes(label));
  await ensureLabels(context, added);
  const changes = [
    ...(title === undefined ? [] : [`--title=${title}`]),
    ...added.map((label) => `--add-label=${label}`),
    ...removed.map((label) => `--remove-label=${label}`),
  ];
  if (changes.length > 0) await changing(context, id, ['issue', 'edit', id, ...changes]);
  return show(context, id);
};

/** GitHub refuses a label that the repository does not have. */
const ensureLabels = async (context: Context, wanted: readonly string[]): Promise<void> => {
  const { labels, ask } = context;
  if (wanted.every((label) => labels.has(label))) return;
  const text = await ask(['label', 'list', '--limit', '1000', '--json', 'name']);
  for (const { name } of jsonFrom('gh', text, checkedBy(z.array(z.looseObject({ name: z.string() })))))
    labels.add(name);
  for (const label of wanted.filter((each) => !labels.has(each))) {
    await ask(['label', 'create', label, '--description', 'Set by ralph-tui', '--color', 'ededed']);
    labels.add(label);
  }
};

/** gh answers with the address of the comment, which is its id, so the comment is not read back. */
const comment = async (context: Context, id: IssueId, body: string): Promise<Checked<IssueComment>> => {
  if (!isNumber(id)) return noSuchIssue(id);
  const before = context.looks.of(id);
  const url = (await changing(context, id, ['issue', 'comment', id, '--body-file', '-'], body)).trim();
  if (!commentUrl.test(url))
    throw new FaultError({ code: 'tracker-answer', what: 'gh did not name the comment that it posted' });
  const made = { url, body, createdAt: new Date(context.clock.now()).toISOString() };
  if (before !== null) context.looks.keep(id, { ...before, comments: [...(before.comments ?? []), made] });
  return { ok: true, value: commentOf(made) };
};

const commentUrl = /^https:\/\/\S+#issuecomment-\d+$/;

const create = async (context: Context, draft: IssueDraft): Promise<Checked<Issue>> => {
  const { title, body = '', labels = [], estimate, parent, blockedBy = [] } = draft;
  if (title.trim() === '') return refused('issue-title', 'an issue needs a title');
  const edges = await context.hasEdges();
  const ours = labelChanges([], estimate === undefined ? {} : { estimate }).add;
  await ensureLabels(context, [...labels, ...ours]);
  const text = edges ? body : withEdges(body, { blockedBy, ...(parent === undefined ? {} : { parent }) });
  const url = await context.ask(
    [
      'issue',
      'create',
      `--title=${title.trim()}`,
      '--body-file',
      '-',
      ...[...labels, ...ours].map((label) => `--label=${label}`),
      ...(edges && parent !== undefined ? [`--parent=${parent}`] : []),
      ...(edges && blockedBy.length > 0 ? [`--blocked-by=${blockedBy.join(',')}`] : []),
    ],
    text,
  );
  const number = /\/issues\/(\d+)\s*$/.exec(url)?.[1];
  return number === undefined
    ? refused('tracker-answer', 'gh created an issue without printing its URL')
    : show(context, number).finally(() => context.looks.drop(number));
};
