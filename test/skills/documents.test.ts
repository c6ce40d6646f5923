import { describe, expect, it, test } from 'vitest';
import { changedParts, diffLines } from '../../src/base/match/line-diff.ts';
import { checkDocument } from '../../src/skills/documents/check-document.ts';
import { isSimilar } from '../../src/skills/documents/issue-draft.ts';

const document = (type: string, keys: string, sections: Readonly<Record<string, string>>): string =>
  [
    `---\ndate: 2026-11-23\nstatus: draft\ntype: ${type}\nauthor: ada\n${keys}---\n# Title`,
    ...Object.entries(sections).map(([heading, text]) => `## ${heading}\n\n${text}`),
  ].join('\n\n');
const plan = {
  Overview: 'a',
  'Current State': 'b',
  'Desired End State': 'c',
  'Not Doing': 'd',
  Approach: 'e',
  'Phase 1: Store': '### Automated\n- [ ] `npm test`\n### Manual\n- [ ] look',
  Testing: 'f',
  References: 'g',
};
const research = {
  Question: 'a',
  Summary: 'b',
  Findings: 'c',
  'Code References': '- `src/a.ts:3` is it',
  'Open Questions': 'None.',
};
const has = (path: string, line: number): boolean => path === 'src/a.ts' && line <= 10;

describe('a document that its schema accepts', () => {
  it.each([
    ['plan', document('plan', 'github_issue: 42\n', plan)],
    ['plan', document('plan', 'github_issue: null\n', { ...plan, 'Open Questions': 'None.' })],
    ['research', document('research', '', research)],
  ] as const)('%s', (name, text) => {
    expect(checkDocument(name, text, has)).toEqual([]);
  });
});

describe('a document that its schema refuses names each problem', () => {
  it.each([
    [
      'plan',
      'Hello, here is your plan!',
      [
        'date must be a day, written YYYY-MM-DD.',
        'It has no title: begin the text with "# Title".',
        'The section "## Overview" is missing.',
        'It has no phase: write "## Phase 1: …".',
      ],
    ],
    [
      'plan',
      document('plan', 'github_issue: 1\n', { ...plan, Testing: '' }),
      ['The section "## Testing" is empty.'],
    ],
    [
      'plan',
      document('plan', 'github_issue: 1\n', { ...plan, 'Phase 1: Store': 'do it' }),
      ['"Phase 1: Store" lists no automated criteria.', '"Phase 1: Store" lists no manual criteria.'],
    ],
    [
      'plan',
      document('plan', 'github_issue: 1\n', { ...plan, Approach: 'TBD' }),
      ['It has an open question: settle it, or ask for an answer.'],
    ],
    [
      'plan',
      document('plan', 'github_issue: 1\n', { ...plan, 'Open Questions': '- which?' }),
      ['It has an open question: settle it, or ask for an answer.'],
    ],
    ['plan', document('plan', '', plan), ['github_issue is missing from the front matter.']],
    [
      'research',
      document('research', '', { ...research, 'Code References': '- src/a.ts:11, src/b.ts:1' }),
      ['src/a.ts:11 does not exist.', 'src/b.ts:1 does not exist.'],
    ],
    [
      'research',
      document('research', '', { ...research, 'Code References': 'somewhere' }),
      ['"## Code References" contains no file:line.'],
    ],
    ['research', document('poem', '', research), ['type must be research.']],
    ['research', document('research', 'a: [\n', research), [expect.stringContaining('front matter:')]],
  ] as const)('%s %#', (name, text, problems) => {
    expect(checkDocument(name, text, has)).toEqual(expect.arrayContaining([...problems]));
  });
});

test('a comparison shows as few old and new lines as possible, and what is around them', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].join('\n');
  const after = ['a', 'b', 'c', 'D', 'e', 'x', 'f', 'g'].join('\n');
  const lines = diffLines(before, after);
  expect(
    lines
      .filter(({ kind }) => kind !== 'new')
      .map(({ text }) => text)
      .join('\n'),
  ).toBe(before);
  expect(
    lines
      .filter(({ kind }) => kind !== 'old')
      .map(({ text }) => text)
      .join('\n'),
  ).toBe(after);
  expect(
    changedParts(lines, 1).map((line) => (line === null ? '…' : `${line.kind[0]} ${line.text}`)),
  ).toEqual(['…', 's c', 'o d', 'n D', 's e', 'n x', 's f', '…']);
  expect(changedParts(diffLines('a', 'a'))).toEqual([]);
});

test.each([
  ['Offline mode', 'An offline mode for pages', true],
  ['Offline mode', 'Dark mode', false],
  ['Store pages on disk', 'Draw the graph', false],
  ['', 'Anything', false],
])('%j and %j', (one, other, similar) => {
  expect(isSimilar(one, other)).toBe(similar);
});
