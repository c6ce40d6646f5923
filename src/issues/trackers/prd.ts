import { z } from 'zod';
import type { Fault } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import { fromJson } from '../../base/json.ts';
import type { Issue, IssueId } from '../issue.ts';
import { jsonSpan } from './json-spans.ts';
import {
  criteriaField,
  flagField,
  idField,
  idsField,
  priorityField,
  textField,
  textsField,
} from './lenient.ts';
import type { IssueFormat } from './one-file.ts';
import { type IssueDraft, refused } from './tracker.ts';

/** Without these a story is none. */
const core = { id: idField, title: z.string().min(1) };
const coreSchema = z.looseObject(core);

/** Each is read by itself: one that cannot be read is named, and the story stays. */
const fields = {
  description: textField,
  acceptanceCriteria: criteriaField,
  priority: priorityField,
  passes: flagField,
  labels: textsField,
  dependsOn: idsField,
};
const storyFields = z.object(fields);
const storySchema = z.object({ ...core, ...fields });

const prdSchema = z.looseObject({ userStories: z.array(z.unknown()) });

/** User stories of a `prd.json`: `passes` closes one, `dependsOn` blocks it. Unknown fields and the order of the lines stay. */
export const prdFormat: IssueFormat = {
  name: 'prd',
  read: (text, file) => {
    const parsed = parseJson(text);
    if (!parsed.ok) return { ok: false, faults: [notJson(file, parsed.error)] };
    const prd = prdSchema.safeParse(parsed.value);
    if (!prd.success)
      return refused('tracker-shape', `${file} is not JSON with a userStories list`, 'correct the file');
    const issues: Issue[] = [];
    const problems: Fault[] = [];
    for (const [at, value] of prd.data.userStories.entries()) {
      const where = (field?: string): string => `${file}:${lineOf(text, at, field)}`;
      const read = readStory(value, where);
      problems.push(...read.problems);
      if (read.issue !== null) issues.push(read.issue);
    }
    return { ok: true, value: { issues, problems } };
  },
  close: (text, id, closed) => withField(text, id, 'passes', closed),
  edits: ['title', 'labels', 'blockedBy'],
  edit: (text, id, { title, labels, blockedBy }) =>
    Object.entries({ title, labels, dependsOn: blockedBy }).reduce(
      (now, [key, value]) => (value === undefined ? now : withField(now, id, key, value)),
      text,
    ),
  add: (text, draft) => {
    const id = nextId(text);
    const list = jsonSpan(text, ['userStories']);
    const story = JSON.stringify(storyOf(id, draft), null, 2).replaceAll('\n', '\n    ');
    if (list === null) return { text, id };
    const before = text.slice(0, list.to - 1).trimEnd();
    const separator = before.endsWith('[') ? '\n    ' : ',\n    ';
    return { text: `${before}${separator}${story}\n  ]${text.slice(list.to)}`, id };
  },
};

/** The text with one field of a story, which is added when it has none. */
const withField = (text: string, id: IssueId, key: string, value: unknown): string => {
  const at = storyIndex(text, id);
  const span = jsonSpan(text, ['userStories', at, key]);
  if (span !== null) return splice(text, span.from, span.to, JSON.stringify(value));
  const story = jsonSpan(text, ['userStories', at]);
  return story === null
    ? text
    : splice(text, story.from + 1, story.from + 1, ` ${JSON.stringify(key)}: ${JSON.stringify(value)},`);
};

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');
const jsonOf = (text: string): unknown => fromJson(withoutMark(text));

const parseJson = (
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string } => {
  try {
    return { ok: true, value: JSON.parse(withoutMark(text)) };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
};

/** The parser's words, with the line where it names one. */
const notJson = (file: string, error: string): Fault => {
  const line = /\bline (\d+)/.exec(error)?.[1];
  const words = error.replace(/ in JSON at position.*$/s, '');
  return {
    code: 'tracker-shape',
    what: `${file} is not JSON with a userStories list`,
    hint: line === undefined ? `correct the file (${words})` : `correct line ${line} (${words})`,
  };
};

/** The line of a story, or of one of its fields, from 1. */
const lineOf = (text: string, at: number, field?: string): number => {
  const span =
    (field === undefined ? null : jsonSpan(text, ['userStories', at, field])) ??
    jsonSpan(text, ['userStories', at]);
  return text.slice(0, span?.from ?? 0).split('\n').length;
};

const splice = (text: string, from: number, to: number, put: string): string =>
  text.slice(0, from) + put + text.slice(to);

const stories = (text: string): readonly unknown[] =>
  prdSchema.safeParse(jsonOf(text)).data?.userStories ?? [];

const storyIndex = (text: string, id: IssueId): number =>
  stories(text).findIndex((story) => coreSchema.safeParse(story).data?.id === id);

interface ReadStory {
  /** `null` for a story without an id or a title. */
  readonly issue: Issue | null;
  readonly problems: readonly Fault[];
}

const readStory = (value: unknown, where: (field?: string) => string): ReadStory => {
  const story = storySchema.safeParse(value);
  return story.success
    ? { issue: issueOf(value, story.data, false), problems: [] }
    : readBroken(value, where);
};

const readBroken = (value: unknown, where: (field?: string) => string): ReadStory => {
  const core = coreSchema.safeParse(value);
  if (!core.success) {
    const field = core.error.issues[0]?.path.join('.') ?? '';
    const what = `the story is invalid${field === '' ? '' : ` at ${field}`} and is ignored`;
    return { issue: null, problems: [{ code: 'issue-line', what, where: where() }] };
  }
  const broken = [
    ...new Set((storyFields.safeParse(value).error?.issues ?? []).map(({ path }) => String(path[0]))),
  ];
  const readable = Object.entries(core.data).filter(([key]) => !broken.includes(key));
  const rest = storyFields.parse(Object.fromEntries(readable));
  // Without these nobody knows whether it may be worked on.
  const isUnclear = broken.some((key) => key === 'passes' || key === 'dependsOn');
  const problems = broken.map((key): Fault => {
    const effect =
      isUnclear && (key === 'passes' || key === 'dependsOn') ? ', so the story needs a person' : '';
    const what = `${key} of the story ${core.data.id} cannot be read${effect}`;
    return { code: 'issue-field', what, where: where(key) };
  });
  return {
    issue: issueOf(value, { ...rest, id: core.data.id, title: core.data.title }, isUnclear),
    problems,
  };
};

const issueOf = (value: unknown, story: z.infer<typeof storySchema>, isUnclear: boolean): Issue => ({
  id: story.id,
  title: story.title,
  body: [story.description, ...story.acceptanceCriteria.map((line) => `- ${line}`)]
    .filter((part) => part !== '')
    .join('\n'),
  state: isUnclear ? 'Human Needed' : story.passes === true ? 'Done' : 'Backlog',
  estimate: null,
  priority: story.priority ?? null,
  labels: story.labels,
  blockedBy: story.dependsOn,
  comments: [],
  revision: sha256(JSON.stringify(value)).slice(0, 16),
});

const nextId = (text: string): IssueId => {
  const numbers = stories(text).flatMap((story) => {
    const id = coreSchema.safeParse(story).data?.id ?? '';
    return /^US-(\d{1,9})$/.exec(id)?.[1] ?? [];
  });
  return `US-${String(Math.max(0, ...numbers.map(Number)) + 1).padStart(3, '0')}`;
};

const storyOf = (id: IssueId, { title, body, labels, blockedBy }: IssueDraft) => ({
  id,
  title: title.trim(),
  description: body ?? '',
  acceptanceCriteria: [],
  priority: 1,
  passes: false,
  ...(labels?.length ? { labels } : {}),
  ...(blockedBy?.length ? { dependsOn: blockedBy } : {}),
});
