import { expect, test } from 'vitest';
import type { AgentFact, FileChange } from '../../../src/agents/agent-facts.ts';
import { createToolBook } from '../../../src/agents/backends/acp/tool-book.ts';

const edited = (...diffs: readonly (readonly [before: string, after: string])[]): readonly FileChange[] => {
  const facts: AgentFact[] = [];
  const book = createToolBook(
    (fact) => facts.push(fact),
    () => 0,
  );
  book.take({
    toolCallId: 'e1',
    title: 'Edit',
    status: 'completed',
    content: diffs.map(([oldText, newText], index) => ({
      type: 'diff',
      path: `src/${index}.ts`,
      oldText,
      newText,
    })),
  });
  const ended = facts.at(-1);
  return ended?.type === 'tool.ended' ? ended.changes : [];
};

const lines = (count: number, word: string): string =>
  Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join('');

test('an edit tells its first changed lines, without the equal ones around them', () => {
  expect(edited(['a\nold\nz\n', 'a\nnew\nmore\nz\n'])).toEqual([
    { path: 'src/0.ts', added: 2, removed: 1, start: '-old\n+new\n+more' },
  ]);
});

test('a line that an edit leaves as it is counts on neither side, wherever it stands', () => {
  expect(edited(['a = 1\nb = 2\n', 'a = 2\nb = 2\nc = 3\n'])).toEqual([
    { path: 'src/0.ts', added: 2, removed: 1, start: '-a = 1\n+a = 2\n+c = 3' },
  ]);
});

test('a long edit tells six lines, and some of both sides', () => {
  const [change] = edited([lines(40, 'old'), lines(50, 'new')]);
  expect(change).toMatchObject({ added: 50, removed: 40 });
  expect(change?.start?.split('\n')).toEqual(['-old 0', '-old 1', '+new 0', '+new 1', '+new 2', '+new 3']);
  expect(edited([lines(40, 'old'), ''])[0]?.start?.split('\n')).toHaveLength(6);
});

test('an edit of many files tells lines of the first three, and a line too long for the journal by its length', () => {
  const changes = edited(['', 'a\n'], ['', 'b\n'], ['', 'x'.repeat(5_000)], ['', 'd\n']);
  expect(changes.map(({ start }) => start)).toEqual(['+a', '+b', '+… 5000 characters', undefined]);
});
