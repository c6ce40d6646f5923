import type { Fault } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import { type CheckBox, checkBoxes, withTicks } from '../../tasks/check-boxes.ts';
import { columnOf, fencesIn } from '../../tasks/markdown/fences.ts';
import { bare, splitLines } from '../../tasks/sections.ts';
import type { Issue, IssueId } from '../issue.ts';
import type { IssueFormat } from './one-file.ts';

/**
 * A checklist: `- [ ] T1: Title (blocked by T2, T3)`. The id comes before a colon; without one it is made from the title. An indented item is a child
 * of the one above, indented text its body. Items in code fences are no issues. A box with any other mark, such as `[-]`, is open.
 */
export const markdownFormat: IssueFormat = {
  name: 'markdown',
  read: (text, file) => {
    const items = itemsOf(text);
    const seen = new Set<IssueId>();
    const problems: Fault[] = unclosedFence(text, file);
    const issues: Issue[] = [];
    for (const item of items) {
      if (seen.has(item.issue.id)) problems.push(sameId(file, item));
      seen.add(item.issue.id);
      issues.push(item.issue);
    }
    return { ok: true, value: { issues, problems } };
  },
  close: (text, id, closed) => {
    const line = itemsOf(text).find(({ issue }) => issue.id === id)?.box.line;
    return withTicks(text, (box) => (box.leads && box.line === line ? closed : box.done));
  },
  edits: ['title', 'blockedBy'],
  edit: (text, id, change) => {
    const item = itemsOf(text).find(({ issue }) => issue.id === id);
    if (item === undefined) return text;
    const { title = item.issue.title, blockedBy = item.issue.blockedBy } = change;
    const words = `${id}: ${title}${blockedBy.length === 0 ? '' : ` (blocked by ${blockedBy.join(', ')})`}`;
    return splitLines(text)
      .map((raw, line) => (line === item.box.line ? raw.replace(item.box.text, () => words) : raw))
      .join('');
  },
  add: (text, { title, body, parent, blockedBy }) => {
    const items = itemsOf(text);
    const numbers = items.flatMap(({ issue }) => /^T(\d{1,9})$/.exec(issue.id)?.[1] ?? []);
    const id = `T${Math.max(0, ...numbers.map(Number)) + 1}`;
    const above = items.find(({ issue }) => issue.id === parent);
    const indent = above === undefined ? '' : ' '.repeat(above.box.indent + 2);
    const blockers = blockedBy?.length ? ` (blocked by ${blockedBy.join(', ')})` : '';
    const lines = (body ?? '').split('\n').filter((line) => line.trim() !== '');
    const added = [
      `${indent}- [ ] ${id}: ${title.trim()}${blockers}`,
      ...lines.map((line) => `${indent}    ${line}`),
    ];
    const at = above === undefined ? text.length : endOfFamily(items, above, text);
    const before = text.slice(0, at);
    const gap = before === '' || before.endsWith('\n') ? '' : '\n';
    return { text: `${before}${gap}${added.join('\n')}\n${text.slice(at)}`, id };
  },
};

interface Item {
  readonly issue: Issue;
  readonly box: CheckBox;
  /** Offset after its text. */
  readonly end: number;
}

const itemsOf = (text: string): readonly Item[] => {
  const boxes = new Map(
    checkBoxes(text).flatMap((box) => (box.leads && box.text !== '' ? [[box.line, box]] : [])),
  );
  const items: Item[] = [];
  const parents: Item[] = [];
  let offset = 0;
  for (const [line, raw] of splitLines(text).entries()) {
    const start = offset;
    offset += raw.length;
    const box = boxes.get(line);
    const last = items.at(-1);
    if (box === undefined) {
      const [space = ''] = /^[ \t]*/.exec(raw) ?? [];
      if (last !== undefined && columnOf(space) > last.box.indent && last.end === start)
        items[items.length - 1] = { ...withBody(last, bare(raw)), end: offset };
      continue;
    }
    while ((parents.at(-1)?.box.indent ?? -1) >= box.indent) parents.pop();
    const item: Item = { issue: issueOf(box.text, box.done, parents.at(-1)?.issue.id), box, end: offset };
    items.push(item);
    parents.push(item);
  }
  return items;
};

const withBody = (item: Item, line: string): Item => {
  const body = `${item.issue.body}${item.issue.body === '' ? '' : '\n'}${line.trim()}`;
  return {
    ...item,
    issue: { ...item.issue, body, revision: sha256(item.issue.revision + line).slice(0, 16) },
  };
};

const issueOf = (text: string, isClosed: boolean, parent: IssueId | undefined): Issue => {
  const blockers = /[ \t]*\(blocked by ([^()]*)\)[ \t]*$/.exec(text);
  const whole = blockers === null ? text.trim() : text.slice(0, blockers.index).trim();
  const named = /^([A-Za-z0-9][A-Za-z0-9._-]{0,60}):[ \t]+(.+)$/.exec(whole);
  const title = named?.[2] ?? whole;
  return {
    id: named?.[1] ?? slug(whole),
    title,
    body: '',
    state: isClosed ? 'Done' : 'Backlog',
    estimate: null,
    priority: null,
    labels: [],
    ...(parent === undefined ? {} : { parent }),
    blockedBy: (blockers?.[1] ?? '')
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== ''),
    comments: [],
    revision: sha256(`${isClosed} ${text}`).slice(0, 16),
  };
};

const slug = (title: string): IssueId =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '') || 'untitled';

const endOfFamily = (items: readonly Item[], above: Item, text: string): number => {
  const after = items.slice(items.indexOf(above) + 1);
  const next = after.findIndex(({ box }) => box.indent <= above.box.indent);
  const last = (next < 0 ? after : after.slice(0, next)).at(-1) ?? above;
  return Math.min(last.end, text.length);
};

const unclosedFence = (text: string, file: string): Fault[] => {
  const line = fencesIn(splitLines(text)).indexOf('unclosed');
  return line < 0
    ? []
    : [
        {
          code: 'issue-fence',
          what: 'the code fence that begins here is never closed; the items after it count',
          where: `${file}:${line + 1}`,
          hint: 'close it after the example',
        },
      ];
};

const sameId = (file: string, { issue, box }: Item): Fault => ({
  code: 'issue-duplicate',
  what: `the id ${issue.id} is used twice; only the first issue counts`,
  where: `${file}:${box.line + 1}`,
  hint: 'give one of them a different id, such as "T7: …"',
});
