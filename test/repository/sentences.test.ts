import { expect, test } from 'vitest';
import { readSources } from '../helpers/source-tree.ts';

/** Names of what is a sentence for people. */
const sentence = String.raw`(?:\w+[?.]*\.)*(?:reason|why|sentence|refusal|notes?|what|message)\b`;

/** A question to its words. */
const questions = [
  new RegExp(
    String.raw`(?<![\w.])${sentence}\s*\??\.(?:includes|startsWith|endsWith|match|matchAll|search)\(`,
    'g',
  ),
  new RegExp(String.raw`/[a-z]*\.(?:test|exec)\(\s*${sentence}`, 'g'),
];

/** Who reads the words of others, and why nothing else says it. */
const parsers: ReadonlySet<string> = new Set([
  // What other programs print.
  'src/agents/backends/command/output/codex.ts',
  'src/issues/trackers/linear-api.ts',
  'src/runners/serve/full-disk.ts',
  // What people and agents write.
  'src/signals/fields.ts',
  'src/tasks/progress-file.ts',
  'src/words/reason-words.ts',
  // Journals from before causes.
  'src/pipeline/events/failure-cause.ts',
]);

const decisions = (text: string): readonly string[] =>
  questions.flatMap((question) => [...text.matchAll(question)].map(([found]) => found));

test('nothing is decided on a sentence, but by parsers of the words of others', () => {
  const found = readSources()
    .filter(({ path }) => !parsers.has(path))
    .flatMap(({ path, text }) => decisions(text).map((decision) => `${path}: ${decision}`));
  expect(found, 'give the fact a field of its own').toEqual([]);
});

test('each parser still reads a sentence', () => {
  const idle = readSources().filter(({ path, text }) => parsers.has(path) && decisions(text).length === 0);
  expect(idle.map(({ path }) => path)).toEqual([]);
});

test('such a decision is found', () => {
  expect(decisions("if (reason.startsWith('review')) x();")).toHaveLength(1);
  expect(decisions("own.notes.some((note) => note.startsWith('it asks'))")).toHaveLength(1);
  expect(decisions('problems.find(({ what }) => /\\brun\\b/.test(what))')).toHaveLength(1);
  expect(decisions("obstacle.reason.startsWith('blocked by')")).toHaveLength(1);
  expect(decisions("reason === 'crash'")).toEqual([]);
});
