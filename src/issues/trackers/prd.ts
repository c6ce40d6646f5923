import { z } from 'zod';
import type { Fault } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import { fromJson } from '../../base/json.ts';
import type { Issue, IssueId } from '../issue.ts';
import { jsonSpan } from './json-spans.ts';
import type { IssueFormat } from './one-file.ts';
import { type IssueDraft, refused } from './tracker.ts';

const ids = z.array(z.coerce.string());

const storySchema = z.looseObject({
  id: z.coerce.string().min(1),
  title: z.string(),
  description: z.string().optional(),
  acceptanceCriteria: z.array(z.string()).optional(),
  priority: z.number().optional(),
  passes: z.boolean().optional(),
  labels: z.array(z.string()).optional(),
  dependsOn: ids.optional(),
});

const prdSchema = z.looseObject({ userStories: z.array(z.unknown()) });

/** User stories of a `prd.json`: `passes` closes one, `dependsOn` blocks it. Unknown fields and the order of the lines stay. */
export const prdFormat: IssueFormat = {
  name: 'prd',
  read: (text, file) => {
    const prd = prdSchema.safeParse(jsonOf(text));
    if (!prd.success)
      return refused('tracker-shape', `${file} is not JSON with a userStories list`, 'correct the file');
    const issues: Issue[] = [];
    const problems: Fault[] = [];
    for (const [at, value] of prd.data.userStories.entries()) {
      const story = storySchema.safeParse(value);
      if (story.success) issues.push(issueOf(story.data));
      else problems.push(brokenStory(file, at, story.error.issues[0]?.path.join('.') ?? ''));
    }
    return { ok: true, value: { issues, problems } };
  },
  close: (text, id, closed) => {
    const at = storyIndex(text, id);
    const flag = jsonSpan(text, ['userStories', at, 'passes']);
    if (flag !== null) return splice(text, flag.from, flag.to, String(closed));
    const story = jsonSpan(text, ['userStories', at]);
    return story === null ? text : splice(text, story.from + 1, story.from + 1, ` "passes": ${closed},`);
  },
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

const jsonOf = (text: string): unknown => fromJson(text.replace(/^\uFEFF/, ''));

const splice = (text: string, from: number, to: number, put: string): string =>
  text.slice(0, from) + put + text.slice(to);

const stories = (text: string): readonly unknown[] =>
  prdSchema.safeParse(jsonOf(text)).data?.userStories ?? [];

const storyIndex = (text: string, id: IssueId): number =>
  stories(text).findIndex((story) => storySchema.safeParse(story).data?.id === id);

const issueOf = (story: z.infer<typeof storySchema>): Issue => {
  const criteria = (story.acceptanceCriteria ?? []).map((line) => `- ${line}`);
  return {
    id: story.id,
    title: story.title,
    body: [story.description ?? '', ...criteria].filter((part) => part !== '').join('\n'),
    state: story.passes === true ? 'Done' : 'Backlog',
    estimate: null,
    priority: story.priority ?? null,
    labels: story.labels ?? [],
    blockedBy: story.dependsOn ?? [],
    comments: [],
    revision: sha256(JSON.stringify(story)).slice(0, 16),
  };
};

const brokenStory = (file: string, at: number, field: string): Fault => ({
  code: 'issue-line',
  what: `the story is invalid${field === '' ? '' : ` at ${field}`} and is ignored`,
  where: `${file}: userStories[${at}]`,
});

const nextId = (text: string): IssueId => {
  const numbers = stories(text).flatMap((story) => {
    const id = storySchema.safeParse(story).data?.id ?? '';
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
