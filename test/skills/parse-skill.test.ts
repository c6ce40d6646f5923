import { describe, expect, it, test } from 'vitest';
import { parseSkill } from '../../src/skills/parse-skill.ts';
import { skillFile } from '../helpers/skill-folder.ts';

const judge = (text: string, folder = 'pdf-forms') =>
  parseSkill(text, folder).problems.map(
    ({ severity, where, what }) => `${severity} ${where?.replace('SKILL.md', '')} ${what}`,
  );
const matter = (lines: string): string => `---\n${lines}\n---\n# Do it\n`;
const named = (name: string): string => matter(`name: ${name}\ndescription: Does it.`);

describe('a skill that is right', () => {
  it.each([
    ['the smallest one', skillFile('pdf-forms')],
    ['license and compatibility', skillFile('pdf-forms', 'license: MIT\ncompatibility: Requires git\n')],
    ['tools as words', skillFile('pdf-forms', 'allowed-tools: Bash(git:*) Read\n')],
    ['tools as a list', skillFile('pdf-forms', 'allowed-tools:\n  - Read\n  - Bash(git log:*)\n')],
    ['metadata', skillFile('pdf-forms', 'metadata:\n  author: me\n  version: "1.0"\n')],
    [
      'variables of ours',
      skillFile('pdf-forms', `env:\n  RALPH_GH_OWNER: "\${RALPH_GH_OWNER}"\n  LANG: C\n`),
    ],
    [
      'a link of the web and one inside',
      skillFile('pdf-forms', '', 'See [a](https://a.b/../c) and [b](references/b.md#c).'),
    ],
    [
      'a path outside in a code block',
      skillFile('pdf-forms', '', '```sh\ncat ../../x\n[a](/etc/passwd)\n```'),
    ],
    // As in public skills: xlsx and claude-api.
    [
      'a slash between and in spans of code',
      skillFile('pdf-forms', '', 'To make `.pptx`/`.xlsx` look before `/`.'),
    ],
    ['64 characters of name', named('a'.repeat(64)), 'a'.repeat(64)],
    ['Windows line ends', skillFile('pdf-forms').replaceAll('\n', '\r\n')],
  ])('%s', (_, text, folder?: string) => {
    expect(judge(text, folder)).toEqual([]);
    expect(parseSkill(text, folder ?? 'pdf-forms').value).not.toBeNull();
  });
});

describe('a skill that is refused says why, and where', () => {
  it.each([
    ['no front matter', '# Do it', 'error :1 has no front matter'],
    ['an empty file', '', 'error :1 has no front matter'],
    [
      'JavaScript as front matter',
      '---js\nprocess.exit()\n---\nx',
      'error :1 front matter written in js is not supported',
    ],
    ['no name', matter('description: x'), 'error :2 name is missing'],
    ['no description', matter('name: pdf-forms'), 'error :2 description is missing'],
    ['an empty description', matter('name: pdf-forms\ndescription: "  "'), 'error :3 description is missing'],
    [
      'a description of 1,025 characters',
      matter(`name: pdf-forms\ndescription: ${'é'.repeat(1_025)}`),
      'error :3 description has 1025 characters, but at most 1024 are allowed',
    ],
    [
      'upper case',
      named('PDF-forms'),
      'error :2 the name PDF-forms may contain only lower-case letters a to z, digits and hyphens',
    ],
    [
      'a letter of another alphabet',
      named('pdf-förms'),
      'error :2 the name pdf-förms may contain only lower-case letters a to z, digits and hyphens',
    ],
    [
      'a way out as name',
      named('../pdf'),
      'error :2 the name ../pdf may contain only lower-case letters a to z, digits and hyphens',
    ],
    ['a hyphen first', named('-pdf'), 'error :2 the name -pdf must not begin or end with a hyphen'],
    [
      'two hyphens',
      named('pdf--forms'),
      'error :2 the name pdf--forms must not contain two hyphens in a row',
    ],
    [
      '65 characters',
      named('a'.repeat(65)),
      `error :2 the name ${'a'.repeat(65)} has 65 characters, but at most 64 are allowed`,
    ],
    ['the name of another folder', named('pdf'), 'error :2 the name is pdf and the folder is pdf-forms'],
    ['a number as name', matter('name: 7\ndescription: x'), 'error :2 name must be text'],
    [
      'no instructions',
      matter('name: pdf-forms\ndescription: x').replace('# Do it\n', ''),
      'error  has no instructions',
    ],
    [
      'a map of tools',
      skillFile('pdf-forms', 'allowed-tools: {a: b}\n'),
      'error :4 allowed-tools must be words separated by spaces, or a list of strings',
    ],
    [
      'metadata in metadata',
      skillFile('pdf-forms', 'metadata:\n  a:\n    b: c\n'),
      'error :4 metadata.a must be text',
    ],
    [
      'another context',
      skillFile('pdf-forms', 'context: server\n'),
      'error :4 context is server; use inline or fork',
    ],
    [
      'a loader variable',
      skillFile('pdf-forms', 'env:\n  LD_PRELOAD: /x.so\n'),
      'error :4 only a person may set the variable LD_PRELOAD',
    ],
    [
      'a variable that steers us',
      skillFile('pdf-forms', 'env:\n  RALPH_AUTO_APPROVE: "true"\n'),
      'error :4 only a person may set the variable RALPH_AUTO_APPROVE',
    ],
    [
      'a key of the shell',
      skillFile('pdf-forms', 'env:\n  A: $OPENAI_API_KEY\n'),
      'error :4 A reads the variable OPENAI_API_KEY from your shell, but a skill gets only RALPH_ variables',
    ],
    [
      'hooks',
      skillFile('pdf-forms', 'hooks:\n  Stop: rm -rf .\n'),
      'error :4 hooks is for commands that start automatically, which a skill cannot set',
    ],
    [
      'a preset',
      skillFile('pdf-forms', 'permissions: all\n'),
      'error :4 permissions is for what an agent may do without asking, which a skill cannot set',
    ],
    [
      'a command while it loads',
      skillFile('pdf-forms', '', 'Status: !`git status`'),
      'error :5 asks the program to run a command while the skill loads, which the program never does',
    ],
    [
      'a link outside',
      skillFile('pdf-forms', '', 'a\n[x](../../secret.md)'),
      'error :6 names ../../secret.md, which is outside the skill',
    ],
    [
      'a link outside, encoded',
      skillFile('pdf-forms', '', '[x](%2e%2e/secret.md)'),
      'error :5 names %2e%2e/secret.md, which is outside the skill',
    ],
    [
      'a link to the root',
      skillFile('pdf-forms', '', '[x]: file:///etc/passwd'),
      'error :5 names file:///etc/passwd, which is outside the skill',
    ],
    [
      'an import',
      skillFile('pdf-forms', '', 'Read @~/.ssh/id_rsa first.'),
      'error :5 names ~/.ssh/id_rsa, which is outside the skill',
    ],
  ])('%s', (_, text, expected) => {
    expect(judge(text)).toContain(expected);
    expect(parseSkill(text, 'pdf-forms').value).toBeNull();
  });
});

test('what has no effect or could be better is a warning, and the skill works', () => {
  const text = skillFile(
    'pdf-forms',
    'version: 1\nallowed_tools: Read\nmetadata:\n  n: 7\n',
    `Use \`~/.config/x\`.\n${'a\n'.repeat(500)}`,
  );
  expect(judge(text)).toEqual([
    'warning :4 version is not a field of the skill format and is ignored',
    'warning :5 allowed_tools is ignored',
    'warning :6 metadata.n must be text',
    'warning  has 501 lines of instructions, but fewer than 500 are recommended',
    'warning :9 names ~/.config/x outside the skill; the permissions decide whether an agent may use it',
  ]);
  expect(parseSkill(text, 'pdf-forms').value).toMatchObject({ metadata: { n: '7' }, allowedTools: null });
});

test('all that the format and its known additions say is read', () => {
  const text = skillFile(
    'pdf-forms',
    'allowed-tools: Bash(git log:*), Read\nmodel: opus\ncontext: fork\nenv:\n  RALPH_GH_REPO: a\nmetadata:\n  argument-hint: TOPIC\n',
  );
  expect(parseSkill(text, 'pdf-forms').value).toEqual({
    name: 'pdf-forms',
    description: 'Does something when it is asked for.',
    context: 'fork',
    allowedTools: ['Bash(git log:*)', 'Read'],
    model: 'opus',
    env: { RALPH_GH_REPO: 'a' },
    argumentHint: 'TOPIC',
    metadata: { 'argument-hint': 'TOPIC' },
    body: '# Do it\n\n1. Do it.',
  });
});
