/** What the sample agent says, asks and writes. */

/** The two designs that the person chooses from. */
export const ways = [
  {
    label: 'a table of greetings',
    detail: 'One small file with a line per language. Easy to read; each new language is a code change.',
    approach: 'One table, `greetings/table.mjs`, holds a greeting for each language. `greet` looks it up.',
    file: 'greetings/table.mjs',
    text: "/** A greeting for each language. */\nexport const table = { en: 'Hello', de: 'Hallo', ja: 'こんにちは' };\n",
    import: "import { table } from './table.mjs';",
    word: "table[language] ?? table.en",
  },
  {
    label: 'a file for each language',
    detail: 'Translators add a file and touch no code. More files to load.',
    approach: 'Each language is a file `greetings/words/<language>.json`. `greet` loads them once.',
    file: 'greetings/words.mjs',
    text: "import { readdirSync, readFileSync } from 'node:fs';\n\nconst folder = new URL('./words/', import.meta.url);\n\n/** The greeting of each file in `words`, by its language. */\nexport const words = Object.fromEntries(\n  readdirSync(folder).map((name) => [name.replace('.json', ''), JSON.parse(readFileSync(new URL(name, folder), 'utf8')).hello]),\n);\n",
    import: "import { words } from './words.mjs';",
    word: "words[language] ?? words.en",
    more: {
      'greetings/words/en.json': '{ "hello": "Hello" }\n',
      'greetings/words/de.json': '{ "hello": "Hallo" }\n',
      'greetings/words/ja.json': '{ "hello": "こんにちは" }\n',
    },
  },
];

const ask = (question, options) => `\n\n\`\`\`ask\n${JSON.stringify({ question, options })}\n\`\`\``;

export const wayQuestion = `I read the issue and the code:

- \`greetings/greet.mjs:2\` greets everyone with **Hello**.
- The code does not support languages yet.

There are two good ways to add one.${ask(
  'Where should the greetings be kept?',
  ways.map(({ label, detail }) => ({ label, detail })),
)}`;

export const outlineQuestion = ({ label }) => `Then it is **${label}**. The outline:

1. **Store**: the greetings of three languages.
2. **Greet**: \`greet\` takes a language, and says Hello when it does not know the language.${ask(
  'Shall I write the plan from this outline?',
  [{ label: 'yes, write it' }, { label: 'yes, and name the risks' }],
)}`;

/** The plan between the marks of a document. */
export const plan = ({ date, author, wishes }, { approach, file }) => `\`\`\`\`document
---
date: ${date}
status: draft
type: plan
author: ${author}
github_issue: 1
---
# Greet visitors in their own language

## Overview

Visitors from Germany and Japan are greeted in their language. Everyone else is greeted as before.

## Current State

\`greetings/greet.mjs:2\` greets everyone in English.

## Desired End State

\`greet('Kim', 'de')\` gives \`Hallo, Kim!\`. An unknown language gives \`Hello, Kim!\`.

## Not Doing

- Detecting a visitor's language.
- More than three languages.

## Approach

${approach}
${wishes.map((wish) => `\nAs you said: ${wish.replaceAll(/\s+/g, ' ')}\n`).join('')}
## Phase 1: Store

Create \`${file}\`.

Automated:

- [ ] \`node --check ${file}\`

Manual:

- [ ] The greetings are what people actually say.

## Phase 2: Greet

Change \`greetings/greet.mjs\`, and create \`test/languages.test.mjs\`.

Automated:

- [ ] \`npm test\`

Manual:

- [ ] The names in the tests read well.

## Testing

The tests greet in each language, and in an unknown one.

## References

- \`greetings/greet.mjs:2\`
\`\`\`\`
`;

const tests = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greet } from '../greetings/greet.mjs';

for (const [language, words] of [
  ['en', 'Hello, Kim!'],
  ['de', 'Hallo, Kim!'],
  ['ja', 'こんにちは, Kim!'],
  ['xx', 'Hello, Kim!'],
])
  test(\`greets in \${language}\`, () => assert.equal(greet('Kim', language), words));
`;

/** The files and the last words of a phase. */
export const phaseOf = (phase, way) =>
  phase === 'Phase 1'
    ? {
        files: { [way.file]: way.text, ...way.more },
        words: `The greetings of three languages are in \`${way.file}\`. Please check the wording.`,
      }
    : {
        files: {
          'greetings/greet.mjs': `${way.import}\n\n/** Greets somebody in a known language, or else in English. */\nexport const greet = (name, language = 'en') => \`\${${way.word}}, \${name}!\`;\n`,
          'test/languages.test.mjs': tests,
        },
        words: '`greet` takes a language now, and four tests show it.',
      };
