import type { Fault } from '../../base/fault.ts';
import { sha256 } from '../../base/hash.io.ts';
import type { Issue, IssueId } from '../issue.ts';
import type { IssueFormat } from './one-file.ts';

/**
 * A checklist: `- [ ] T1: Title (blocked by T2, T3)`. The id comes before a colon; without one it is made from the title. An indented item is a child
 * of the one above, indented text its body. Items in code fences are no issues.
 */
export const markdownFormat: IssueFormat = {
  name: 'markdown',
  read: (text, file) => {
    const items = itemsOf(text);
    const seen = new Set<IssueId>();
    const problems: Fault[] = [];
    const issues: Issue[] = [];
    for (const item of items) {
      if (seen.has(item.issue.id)) problems.push(sameId(file, item));
      seen.add(item.issue.id);
      issues.push(item.issue);
    }
    return { ok: true, value: { issues, problems } };
  },
  close: (text, id, closed) => {
    const item = itemsOf(text).find(({ issue }) => issue.id === id);
    if (item === undefined) return text;
    return `${text.slice(0, item.box)}${closed ? 'x' : ' '}${text.slice(item.box + 1)}`;
  },
  add: (text, { title, body, parent, blockedBy }) => {
    const items = itemsOf(text);
    const numbers = items.flatMap(({ issue }) => /^T(\d{1,9})$/.exec(issue.id)?.[1] ?? []);
    const id = `T${Math.max(0, ...numbers.map(Number)) + 1}`;
    const above = items.find(({ issue }) => issue.id === parent);
    const indent = above === undefined ? '' : ' '.repeat(above.indent + 2);
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
  /** Offset of the character in the brackets. */
  readonly box: number;
  readonly indent: number;
  readonly line: number;
  /** Offset after its text. */
  readonly end: number;
}

const itemPattern = /^([ \t]*)[-*+] \[([ xX])\][ \t]+(.*)$/;

const itemsOf = (text: string): readonly Item[] => {
  const items: Item[] = [];
  const parents: Item[] = [];
  let fence: string | null = null;
  let offset = 0;
  for (const [at, raw] of text.split('\n').entries()) {
    const line = raw.replace(/\r$/, '');
    const start = offset;
    offset += raw.length + 1;
    const mark = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1]?.slice(0, 3) ?? null;
    if (mark !== null) fence = fence === null ? mark : fence === mark ? null : fence;
    const match = fence === null && mark === null ? itemPattern.exec(line) : null;
    const last = items.at(-1);
    if (match === null) {
      const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
      if (last !== undefined && indent > last.indent && last.end === start)
        items[items.length - 1] = { ...withBody(last, line), end: Math.min(offset, text.length) };
      continue;
    }
    const indent = match[1]?.length ?? 0;
    while ((parents.at(-1)?.indent ?? -1) >= indent) parents.pop();
    const item: Item = {
      issue: issueOf(match[3] ?? '', match[2] !== ' ', parents.at(-1)?.issue.id),
      box: start + indent + 3,
      indent,
      line: at + 1,
      end: Math.min(offset, text.length),
    };
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
  const next = after.findIndex(({ indent }) => indent <= above.indent);
  const last = (next < 0 ? after : after.slice(0, next)).at(-1) ?? above;
  return Math.min(last.end, text.length);
};

const sameId = (file: string, { issue, line }: Item): Fault => ({
  code: 'issue-duplicate',
  what: `the id ${issue.id} is used twice; only the first issue counts`,
  where: `${file}:${line}`,
  hint: 'give one of them a different id, such as "T7: …"',
});
