import { expect, test } from 'vitest';
import { readSources } from '../helpers/source-tree.ts';

/** Names of what is a sentence for people. */
const sentence = String.raw`(?:\w+[?.]*\.)*(?:\w+_)?(?:reason|why|sentence|refusal|notes?|what|message)\b`;
/** Names of any text, which may be a sentence. */
const words = String.raw`(?:\w+[?.]*\.)*(?:texts?|words?)\b`;
const any = `(?:${sentence}|${words})`;

/** A literal that matches `inside`, in any quotes. */
const literal = (inside: string): string =>
  `(?:${["'", '"', '`'].map((quote) => `${quote}[^${quote}\\n]*${inside}[^${quote}\\n]*${quote}`).join('|')})`;
/** A word, which no option of a command or path begins. */
const word = literal(String.raw`(?<![-/\w])[A-Za-z]{3}`);
/** Two words: the name of a value has one. */
const phrase = literal('[A-Za-z][,:;]? [A-Za-z]');

/** A question to its words. */
const questions = [
  new RegExp(
    String.raw`(?<![\w.])${sentence}\s*\??\.(?:includes|startsWith|endsWith|match|matchAll|search)\(`,
    'g',
  ),
  new RegExp(String.raw`/[a-z]*\.(?:test|exec)\(\s*${sentence}`, 'g'),
  // By its name.
  new RegExp(
    String.raw`(?<![/\w.])[a-z]\w*\.(?:test|exec)\(\s*(?:${sentence}|(?:\w+[?.]*\.)*words?)\s*[),]`,
    'g',
  ),
  new RegExp(String.raw`(?<![\w.])${words}\s*\??\.(?:includes|startsWith|endsWith|indexOf)\(\s*${word}`, 'g'),
  new RegExp(
    String.raw`/(?:[^/\n]*[^/\w-])?[A-Za-z]{3}[^/\n]*/[a-z]*\.(?:test|exec)\(\s*${words}\s*[),]`,
    'g',
  ),
  new RegExp(String.raw`(?<![\w.])${any}\s*[!=]==\s*${phrase}`, 'g'),
  new RegExp(String.raw`switch \(${any}\) \{\s*(?:case ${literal('')}:\s*)*case ${phrase}`, 'g'),
];

/** Readers of the words of others, where nothing else says it. */
const parsers: ReadonlySet<string> = new Set([
  // What other programs print, and files of theirs.
  'src/agents/backends/acp/permission/command-harm.ts',
  'src/agents/backends/command/output/codex.ts',
  'src/agents/quota/named-date.ts',
  'src/agents/quota/quota-end.ts',
  'src/agents/quota/zone.ts',
  'src/base/redact.ts',
  'src/discovery/rules/foreign-hook.ts',
  'src/discovery/rules/hardcoded-path.ts',
  'src/discovery/rules/read-only-notice.ts',
  'src/engine/guards/git-refs.ts',
  'src/issues/pull-requests/open-request.ts',
  'src/issues/trackers/linear-api.ts',
  'src/runners/serve/full-disk.ts',
  'src/tasks/schema-faults.ts',
  'src/words/diff/diff.ts',
  // What people and agents write.
  'src/agents/steer-tree.ts',
  'src/cli/launch/discover-first.ts',
  'src/cli/runners/far-words.ts',
  'src/cli/skills/talk-in-lines.ts',
  'src/issues/trackers/markdown.ts',
  'src/agents/roles/promotion-words.ts',
  'src/session/feedback-work.ts',
  'src/session/focus-file.ts',
  'src/session/guidance/change-guidance.ts',
  'src/session/report.ts',
  'src/session/setup/questions.ts',
  'src/session/snapshot.ts',
  'src/signals/fields.ts',
  'src/signals/steer-decision.ts',
  'src/skills/documents/check-document.ts',
  'src/skills/documents/idea.ts',
  'src/tasks/duration.ts',
  'src/tasks/progress-file.ts',
  'src/tasks/task-file.ts',
  'src/words/reason-words.ts',
  // Whatever is about to be printed.
  'src/cli/own-name.ts',
  // Journals from before causes.
  'src/pipeline/events/failure-cause.ts',
]);

/** A regular expression's escapes are no words. */
const withoutEscapes = (text: string): string =>
  text.replaceAll(/\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)/g, '  ');

const decisions = (text: string): readonly string[] =>
  questions.flatMap((question) => [...withoutEscapes(text).matchAll(question)].map(([found]) => found));

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
  expect(decisions("text.startsWith('Conflict') ? 'held' : 'text'")).toHaveLength(1);
  expect(decisions("status === failed && reason === 'failed tasks'")).toHaveLength(1);
  expect(decisions('/^(?:waits for|after) /.exec(words)')).toHaveLength(1);
  expect(decisions('waits.exec(word)?.[1]')).toHaveLength(1);
  expect(decisions("switch (reason) {\n  case 'quit':\n  case 'failed tasks':")).toHaveLength(1);
});

test('a value of one word and the form of a text are no sentence', () => {
  expect(decisions("reason === 'crash'")).toEqual([]);
  expect(decisions("switch (reason) {\n  case 'crash':")).toEqual([]);
  expect(decisions("text.endsWith('\\n')")).toEqual([]);
  expect(decisions("word.startsWith('--session=')")).toEqual([]);
  expect(decisions('/^\\d+$/.test(text)')).toEqual([]);
});
