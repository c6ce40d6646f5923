import { type Estimate, estimateNamed } from '../../issues/issue.ts';
import { readIdea } from './idea.ts';

/** What `form-idea` would make: an issue, or a parent with its parts. */
export interface IssueDraftDocument {
  readonly title: string;
  readonly summary: string;
  readonly criteria: readonly string[];
  readonly context: readonly string[];
  readonly estimate: Estimate | null;
  readonly parts: readonly { readonly title: string; readonly estimate: Estimate }[];
  /** Each part waits for the one before. */
  readonly ordered: boolean;
}

/** The draft that an agent handed in as a document; a section `Parts` makes a tree. */
export const readIssueDraft = (text: string): IssueDraftDocument => {
  const { idea } = readIdea(text, 'draft');
  const items = (heading: string): readonly string[] =>
    idea
      .section(heading)
      .split('\n')
      .flatMap((line) => {
        const item = line.replace(/^\s*(?:[-*]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, '').trim();
        return item === '' ? [] : [item];
      });
  const parts = items('Parts').map(partOf);
  return {
    title: idea.title,
    summary: idea.section('Summary'),
    criteria: items('Acceptance Criteria'),
    context: idea.section('Context').split('\n'),
    estimate: parts.length > 0 ? null : estimateNamed(String(idea.data['estimate'] ?? '')),
    parts,
    ordered: true,
  };
};

/** `S: store the draft` as a part; without a size it is S. */
export const partOf = (line: string): IssueDraftDocument['parts'][number] => {
  const [, size = 'S', title = line] = /^(XS|S):\s*(.+)$/i.exec(line) ?? [];
  return { title, estimate: estimateNamed(size) ?? 'S' };
};

/** The text of the issue in its tracker. */
export const issueBody = ({ summary, criteria, context }: IssueDraftDocument): string =>
  [
    `## Summary\n\n${summary}`,
    `## Acceptance Criteria\n\n${criteria.length === 0 ? 'None yet.' : criteria.map((each) => `- [ ] ${each}`).join('\n')}`,
    ...(context.length === 0 ? [] : [`## Context\n\n${context.join('\n')}`]),
  ].join('\n\n');

/** The whole draft as a person approves it. */
export const issueDraftText = (draft: IssueDraftDocument): string =>
  [
    `# ${draft.title}`,
    draft.estimate === null ? '' : `Estimate: ${draft.estimate}`,
    issueBody(draft),
    draft.parts.length === 0
      ? ''
      : `## Parts\n\n${draft.parts.map(({ title, estimate }, at) => `${at + 1}. ${estimate}: ${title}${draft.ordered && at > 0 ? ` (after ${at})` : ''}`).join('\n')}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');

/** Words without a meaning of their own, in a comparison of titles. */
const small = new Set([
  'a',
  'an',
  'and',
  'as',
  'at',
  'by',
  'for',
  'from',
  'in',
  'is',
  'it',
  'of',
  'on',
  'or',
  'the',
  'to',
  'when',
  'with',
]);
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []).filter((word) => !small.has(word)));

/** Whether two titles are about the same: most words of the shorter one are in the other. */
export const isSimilar = (one: string, other: string): boolean => {
  const [short = new Set<string>(), long = new Set<string>()] = [wordsOf(one), wordsOf(other)].sort(
    (a, b) => a.size - b.size,
  );
  const shared = [...short].filter((word) => long.has(word)).length;
  return shared * 2 > short.size;
};
