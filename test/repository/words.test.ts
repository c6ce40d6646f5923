import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow, readSources, root, shownText } from '../helpers/source-tree.ts';

/** Words of a house style that native readers stumble over, and what to write instead. */
const avoided: readonly (readonly [words: RegExp, instead: string])[] = [
  [/\btold\b/i, 'reports, prints, says'],
  [/\bgoes on\b/i, 'continues'],
  [/\bnobody\b/i, 'no one, or name what is missing'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bsomebody\b(?! example)/i, 'someone'],
  [/\banew\b(?!')/i, 'again'],
  [
    /(?<!there )\bis no (?:JSON|object|list|map|number|directory|signal|task id|worker|plan|file|duration|member|key)\b/i,
    'is not a',
  ],
  [/\b(?:stands?|stood) twice\b/i, 'appears twice'],
  [/\bmeanwhile[.:,'`]/i, 'in the meantime, or already'],
  [/\bwhoever\b/i, 'name the person: the reader, the user'],
  [/(?<!-)\bunasked\b/i, 'without asking'],
  [/\b(?:known|allowed|staged) are\b/i, '"known: …", or "use one of …"'],
  [/\bis (?:unreachable|silent|held|gone) since\b/i, 'has been … since'],
  [
    /\bone (?!is\b|on\b)\w+ a (?:file|line|row|task|turn|signal|session|stream|state|role|field|runner)\b/i,
    '"per" in place of "a"',
  ],
  [/\b(?:stands?|lies?) in\b(?! (?:for|the way|its way)\b)/i, 'is in'],
  [/\bno (?:process|program|agent) (?:runs|waits|works|replies|asks)\b/i, 'no … is running, waiting, …'],
  [/\bchecked out branch\b/i, 'checked-out branch'],
  [/\bterminal, which (?:shows (?:it|them) and )?asks\b/i, 'where it asks, where you can accept it'],
  [/\bwhat\b[^.,;:`'"?\n]{1,60}\b(?:is|are) (?:that|what|told|said)\b/i, 'put the subject first'],
];

const found = (path: string, text: string): readonly string[] =>
  text
    .split('\n')
    .flatMap((line, at) =>
      avoided.flatMap(([words, instead]) =>
        words.test(line) ? [`${path}:${at + 1}: "${words.exec(line)?.[0]}": ${instead}`] : [],
      ),
    );

/** What a finding means. */
const howToRead =
  'each line names a word to avoid, then what to write instead (.github/CONTRIBUTING.md, How we write)';

/** Names of fields and files are no words. */
const withoutCode = (text: string): string => text.replace(/`[^`\n]*`/g, '');

test('the check sees words in strings, templates and tags, and none in code or comments', () => {
  const said = (code: string, path = 'a.ts') => {
    const [source] = [
      { path, text: code, code: code.replace(/(['`]).*?\1/g, (it) => ' '.repeat(it.length)) },
    ];
    return found(path, shownText(source)).length;
  };
  expect(said("const a = 'the user is told';")).toBe(1);
  expect(said('const a = `nobody knows`;')).toBe(1);
  expect(said('const a = <Text>it goes on</Text>;', 'a.tsx')).toBe(1);
  expect(said('const nobody = told; // whoever')).toBe(0);
});

test('no text that the program shows uses them', () => {
  const suspects = readSources().filter(({ path, text }) => found(path, text).length > 0);
  expect(
    suspects.flatMap((source) => found(source.path, shownText(source))),
    howToRead,
  ).toEqual([]);
});

test('no page, prompt or skill uses them', () => {
  const pages = ['README.md', 'CHANGELOG.md', ...filesBelow(['src'], /\.md$/)];
  expect(
    pages.flatMap((path) => found(path, withoutCode(readFileSync(join(root, path), 'utf8')))),
    howToRead,
  ).toEqual([]);
});
