import { expect, test } from 'vitest';
import { readAnswer } from '../../src/session/forms/question.ts';
import { growingParts, replyParts } from '../../src/skills/agent/reply-parts.ts';
import { talkQuestionSchema } from '../../src/skills/talk/question.ts';

const four = '````';

test('a reply is cut into its words, the document and the question', () => {
  const inner = '# T\n\n```sh\nls\n```\n\nend';
  expect(
    replyParts(
      `Hello.\n${four}document\n${inner}\n${four}\nBye.\n\`\`\`ask\n{"question":"Which?","options":["a",{"label":"b","detail":"c"}]}\n\`\`\``,
    ),
  ).toEqual({
    words: 'Hello.\nBye.',
    differs: false,
    document: `${inner}\n`,
    question: {
      text: 'Which?',
      several: false,
      options: [
        { id: '1', label: 'a', detail: '' },
        { id: '2', label: 'b', detail: 'c' },
      ],
    },
  });
});

test.each([
  ['plain words', 'Bonjour', { words: 'Bonjour', document: null, question: null }],
  ['a document that is not closed', `${four}document\n# T`, { words: '', document: '# T\n', question: null }],
  ['an empty document', `${four}document\n${four}`, { words: '', document: null, question: null }],
  [
    'the last of two documents',
    `${four}document\na\n${four}\n${four}document\nb\n${four}`,
    { words: '', document: 'b\n', question: null },
  ],
  ['a question that is no JSON', '```ask\nWhich?\n```', { words: 'Which?', document: null, question: null }],
  ['another block', '```ts\nlet a;\n```', { words: '```ts\nlet a;\n```', document: null, question: null }],
  ['nothing', '', { words: '', document: null, question: null }],
])('%s', (_, reply, parts) => {
  expect(replyParts(reply)).toEqual({ ...parts, differs: false });
});

const five = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, label: id }));

const question = (more: object) =>
  talkQuestionSchema.parse({
    id: 'a',
    kind: 'choice',
    text: '?',
    options: [
      { id: 'x', label: 'X' },
      { id: 'y', label: 'Y' },
    ],
    ...more,
  });

test.each([
  [{}, '2', { answer: 'y' }],
  [{}, 'x', { answer: 'x' }],
  [{}, '3', { wrong: '"3" is not a number from 1 to 2.' }],
  [{}, '', { wrong: 'Choose a number from 1 to 2.' }],
  [{ offered: 'y' }, '', { answer: 'y' }],
  [{ kind: 'choices' }, '2, 1 2', { answer: 'y\nx' }],
  [{ kind: 'choices', optional: true }, '', { answer: '' }],
  [{ kind: 'choices', optional: true, offered: 'x' }, '-', { answer: '' }],
  [{ kind: 'choices' }, '-', { wrong: '"-" is not a number from 1 to 2.' }],
  [{ kind: 'choices', options: five }, '1 3-5, 3', { answer: 'a\nc\nd\ne' }],
  [{ kind: 'choices', options: five }, '0', { wrong: '"0" is not a number from 1 to 5.' }],
  [{ kind: 'choices', options: five }, '9', { wrong: '"9" is not a number from 1 to 5.' }],
  [{ kind: 'choices', options: five }, '5-3', { wrong: '"5-3" is not a number from 1 to 5.' }],
  [{ kind: 'choices', options: five }, 'one', { wrong: '"one" is not a number from 1 to 5.' }],
  [{ kind: 'choices', options: five }, '1-9999', { wrong: '"1-9999" is not a number from 1 to 5.' }],
  [{ options: five }, '1-2', { wrong: '"1-2" is not a number from 1 to 5.' }],
  [{ kind: 'words' }, '1', { answer: 'x' }],
  [{ kind: 'words' }, '7', { wrong: '"7" is not a number from 1 to 2.' }],
  [{ kind: 'words' }, 'something else', { answer: 'something else' }],
  [{ kind: 'words', options: [] }, '7', { answer: '7' }],
  [{ kind: 'approve', options: [] }, 'Y', { answer: 'yes' }],
  [{ kind: 'approve', options: [] }, '', { wrong: 'Answer yes or no.' }],
])('%j answered with %j', (more, typed, read) => {
  expect(readAnswer(question(more), typed)).toEqual(read);
});

test.each([
  ['**Expected**: a\n**Found**: b\n**Why**: c', true],
  ['- **Expected:** a\n- **Found:** b, `x.ts:1`\n- **Why:** c', true],
  ['Expected: a\nFound: b\nWhy: c', true],
  ['I expected a, found b. Why: c', false],
  ['**Expected**: a\n**Found**: b', false],
])('%j names a difference between the plan and the code: %s', (reply, differs) => {
  expect(replyParts(reply).differs).toBe(differs);
});

test('a reply that still arrives shows words and document as far as they came, and never a mark or a question in JSON', () => {
  const document = '# T\n\n## Phase 1\n\n- [ ] `npm test`\n';
  const reply = `One moment.\n\n${four}document\n${document}${four}\n\nLook at \`a.ts\`.\n\n\`\`\`ask\n{"question":"Which?"}\n\`\`\``;
  for (let length = 1; length <= reply.length; length += 1) {
    const grown = growingParts(reply.slice(0, length));
    expect('One moment.\n\n\nLook at `a.ts`.\n', reply.slice(0, length)).toContain(grown.words.trimEnd());
    expect(document).toContain(grown.document ?? '');
  }
  expect(growingParts(reply.slice(0, reply.indexOf('Phase')))).toEqual({
    words: 'One moment.\n',
    document: '# T\n\n## ',
    inBlock: true,
  });
  expect(growingParts(reply)).toMatchObject({ document, words: 'One moment.\n\n\nLook at `a.ts`.\n' });
});
