import { join } from 'node:path';
import { z } from 'zod';
import { formatTimestamp } from '../../base/clock.ts';
import { diskCode } from '../../base/disk.ts';
import type { Checked, Fault } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import { readText, replaceFile, writeNew } from '../../base/replace-file.ts';
import { editFrontMatter, formatFrontMatter, parseFrontMatter } from '../../tasks/front-matter.ts';
import { checkValue } from '../../tasks/schema-faults.ts';
import {
  commentSchema,
  estimateNamed,
  type Issue,
  type IssueComment,
  type IssueId,
  issueLockSchema,
  withoutAuthor,
} from '../issue.ts';
import { stateNamed, stateSlug } from '../state.ts';
import { appendLine, readLines } from './append-lines.ts';
import { withFileLock } from './file-lock.ts';
import { guarded } from './guarded.ts';
import { plainMatter } from './plain-matter.ts';
import {
  changedMeanwhile,
  type IssueChange,
  type IssueDraft,
  type IssueEdit,
  noSuchIssue,
  type Reading,
  refused,
  type Tracker,
  type TrackerPorts,
} from './tracker.ts';

/**
 * Issues as Markdown files of the workspace: `.ralph/issues/<id>.md` with front matter, and `<id>.comments.jsonl`, to which lines are only appended. A
 * write changes the keys it is about and keeps every other byte.
 */
export const createNativeTracker = (ports: TrackerPorts): Tracker => {
  const place = { ports, directory: join(ports.workspace, '.ralph', 'issues') };
  return {
    name: 'native',
    isShared: false,
    list: async () => list(place),
    show: (id) => guarded(async () => show(place, id)),
    update: (id, change, revision) => guarded(() => update(place, id, change, revision)),
    comment: (id, body) => guarded(() => comment(place, id, body)),
    create: (draft) => guarded(() => create(place, draft)),
    editing: {
      keys: ['title', 'labels', 'blockedBy'],
      edit: (id, change) => guarded(() => update(place, id, change, null)),
    },
  };
};

interface Place {
  readonly ports: TrackerPorts;
  readonly directory: string;
}

/** Ids are file names: no path leads out of the directory. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

const fileOf = ({ directory }: Place, id: IssueId): string => `${directory}/${id}.md`;
const commentsOf = ({ directory }: Place, id: IssueId): string => join(directory, `${id}.comments.jsonl`);

const list = (place: Place): Reading => {
  const issues: Issue[] = [];
  const problems: Fault[] = [];
  for (const name of namesIn(place)) {
    const id = /^(.*)\.md$/.exec(name)?.[1];
    if (id === undefined || !idPattern.test(id)) continue;
    try {
      const read = readIssue(place, id);
      if (read === null) continue;
      issues.push(read.issue);
      problems.push(...read.problems);
    } catch (error) {
      problems.push({
        code: 'issue-unreadable',
        what: `issue ${id} cannot be read (${diskCode(error)})`,
        where: name,
      });
    }
  }
  return { ok: true, issues, problems };
};

const namesIn = ({ ports, directory }: Place): readonly string[] =>
  ports.disk.lstat(directory)?.kind === 'directory' ? ports.disk.readdir(directory) : [];

const texts = z.union([z.string().transform((text) => [text]), z.array(z.coerce.string())]);

const matterSchema = z.looseObject({
  title: z.coerce.string().optional(),
  state: z.string().optional(),
  estimate: z.string().nullish(),
  priority: z.number().nullish(),
  labels: texts.optional(),
  parent: z.coerce.string().optional(),
  blockedBy: z.union([texts, z.number().transform((id) => [String(id)])]).optional(),
  url: z.string().optional(),
  lock: issueLockSchema.nullish(),
});

const readIssue = (
  place: Place,
  id: IssueId,
): { readonly issue: Issue; readonly problems: readonly Fault[]; readonly text: string } | null => {
  const path = fileOf(place, id);
  const text = readText(place.ports.disk, path);
  if (text === null) return null;
  const where = join('.ralph', 'issues', `${id}.md`);
  const { fields, body, problems } = fieldsOf(text, where);
  const state = fields.state === undefined ? 'Backlog' : stateNamed(fields.state);
  const issue: Issue = {
    id,
    ...(/^[1-9]\d{0,14}$/.test(id) ? { number: Number(id) } : {}),
    title: fields.title ?? id,
    body,
    // Work on an issue whose state is unknown would be a guess.
    state: state ?? 'Human Needed',
    estimate: estimateNamed(fields.estimate ?? ''),
    priority: fields.priority ?? null,
    labels: fields.labels ?? [],
    ...(fields.parent === undefined ? {} : { parent: fields.parent }),
    blockedBy: fields.blockedBy ?? [],
    comments: [],
    ...(fields.url === undefined ? {} : { url: fields.url }),
    revision: sha256(text).slice(0, 16),
    ...(fields.lock === undefined || fields.lock === null ? {} : { lock: fields.lock }),
  };
  const unknown = state === null ? [unknownState(fields.state ?? '', where)] : [];
  return { issue, problems: [...problems, ...unknown], text };
};

interface Fields {
  readonly fields: z.infer<typeof matterSchema>;
  readonly body: string;
  readonly problems: readonly Fault[];
}

/** A field of the wrong shape is reported with its line, and the others count. */
const fieldsOf = (text: string, where: string): Fields => {
  const plain = plainMatter(text);
  const quick = plain === null ? null : matterSchema.safeParse(plain.data);
  if (plain !== null && quick?.success === true)
    return { fields: quick.data, body: plain.body, problems: [] };
  const { value, problems: unread } = parseFrontMatter(text, where);
  const problems: Fault[] = [...unread];
  const good: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value.data)) {
    const one = checkValue(
      matterSchema,
      { [key]: field },
      { file: where, line: value.yaml?.line ?? null },
      'issue-field',
    );
    if (one.ok) Object.assign(good, one.value);
    else problems.push(...one.faults);
  }
  return { fields: matterSchema.parse(good), body: value.body, problems };
};

const unknownState = (name: string, where: string): Fault => ({
  code: 'issue-state',
  what: `the state "${name.slice(0, 40)}" is unknown, so the issue needs a person`,
  where,
  hint: 'see `ralph-tui issues move --help`',
});

const show = (place: Place, id: IssueId): Checked<Issue> => {
  const read = idPattern.test(id) ? readIssue(place, id) : null;
  if (read === null) return noSuchIssue(id);
  const { records } = readLines(place.ports, commentsOf(place, id), commentSchema);
  return { ok: true, value: { ...read.issue, comments: records.map(withoutAuthor) } };
};

const update = async (
  place: Place,
  id: IssueId,
  change: IssueChange & IssueEdit,
  revision: string | null,
): Promise<Checked<Issue>> => {
  const path = fileOf(place, id);
  if (!idPattern.test(id) || place.ports.disk.lstat(path) === null) return noSuchIssue(id);
  return withFileLock(place.ports, path, () => {
    const read = readIssue(place, id);
    if (read === null) return noSuchIssue(id);
    if (revision !== null && revision !== read.issue.revision) return changedMeanwhile(id);
    replaceFile(place.ports.disk, place.ports.random, path, editFrontMatter(read.text, keysOf(change)));
    return show(place, id);
  });
};

/** An empty list goes from the front matter. */
const keysOf = ({ state, estimate, lock, title, labels, blockedBy }: IssueChange & IssueEdit) => ({
  ...(state === undefined ? {} : { state: stateSlug(state) }),
  ...(estimate === undefined ? {} : { estimate }),
  ...(lock === undefined ? {} : { lock: lock ?? undefined }),
  ...(title === undefined ? {} : { title }),
  ...(labels === undefined ? {} : { labels: labels.length === 0 ? undefined : [...labels] }),
  ...(blockedBy === undefined ? {} : { blockedBy: blockedBy.length === 0 ? undefined : [...blockedBy] }),
});

const comment = async (place: Place, id: IssueId, body: string): Promise<Checked<IssueComment>> => {
  const { disk, random, clock } = place.ports;
  if (!idPattern.test(id) || disk.lstat(fileOf(place, id)) === null) return noSuchIssue(id);
  // The file names no author that could be believed: only comments known by id and hash count.
  const made: IssueComment = {
    id: random.hex(16),
    author: null,
    role: null,
    body,
    at: formatTimestamp(clock),
    editedBy: null,
  };
  const path = commentsOf(place, id);
  await withFileLock(place.ports, path, () => appendLine(place.ports, path, made));
  return { ok: true, value: made };
};

const create = async (place: Place, draft: IssueDraft): Promise<Checked<Issue>> => {
  if (draft.title.trim() === '') return refused('issue-title', 'an issue needs a title');
  const { disk, random } = place.ports;
  disk.mkdir(place.directory);
  const matter = {
    title: draft.title.trim(),
    state: stateSlug('Backlog'),
    estimate: draft.estimate,
    labels: draft.labels?.length ? draft.labels : undefined,
    parent: draft.parent,
    blockedBy: draft.blockedBy?.length ? draft.blockedBy : undefined,
  };
  const body = draft.body === undefined ? '' : `\n${draft.body.trimEnd()}\n`;
  const numbers = namesIn(place).flatMap((name) => /^(\d{1,15})\.md$/.exec(name)?.[1] ?? []);
  // `writeNew` never overwrites: of two programs that make an issue at once, one takes the next number.
  for (let number = Math.max(0, ...numbers.map(Number)) + 1; ; number += 1)
    try {
      const path = fileOf(place, String(number));
      await withFileLock(place.ports, path, () =>
        writeNew(disk, random, path, formatFrontMatter(matter, body)),
      );
      return show(place, String(number));
    } catch (error) {
      if (diskCode(error) !== 'EEXIST') throw error;
    }
};
