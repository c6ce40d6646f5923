import { fenced, fenceRule } from '../../agents/fence.ts';
import { type DocumentName, documentSchemas } from '../documents/document-schema.ts';
import type { Skill } from '../skill.ts';
import type { Talk } from '../talk/talk.ts';

interface FirstPrompt {
  readonly skill: Pick<Skill, 'name' | 'body'>;
  readonly argument: string;
  /** `null`: the skill makes no document. */
  readonly document: DocumentName | null;
  readonly date: string;
  readonly author: string;
  /** Files of the skill that the agent may read, absolute. */
  readonly references: readonly string[];
  /** Texts of the tracker and of documents: data, never orders. */
  readonly material: readonly { readonly source: string; readonly text: string }[];
  /** A random word for the fences. */
  readonly nonce: string;
}

/** The first prompt of a conversation: the skill, its argument, the material, and how documents and questions are handed in. */
export const firstPrompt = (of: FirstPrompt): string =>
  [
    `You work with a person on one thing, in a conversation. The instructions of the skill "${of.skill.name}":`,
    of.skill.body,
    '## This conversation',
    [
      `- Asked for: ${of.argument.replaceAll(/\s+/g, ' ') || 'nothing yet; ask'}`,
      `- Today is ${of.date}. The author is ${of.author || 'unknown'}.`,
      ...of.references.map((path) => `- Reference: ${path}`),
      '- Answer in the language of the person. End your turn when you need an answer.',
      '- The program saves documents and changes the tracker after the person has agreed. Do not write the document to a file.',
    ].join('\n'),
    ...(of.document === null ? [] : [handingIn(of.document)]),
    askingRule,
    ...(of.material.length === 0
      ? []
      : [fenceRule(of.nonce), ...of.material.map(({ source, text }) => fenced(of.nonce, source, text))]),
  ].join('\n\n');

const handingIn = (name: DocumentName): string => {
  const { sections, phases } = documentSchemas[name];
  const better =
    name === 'issue'
      ? `\n\nIf the result is a better idea and not an issue, submit the whole idea, with ${matterOf('idea')} and the sections ${documentSchemas.idea.sections.join(', ')}.`
      : '';
  return `## Handing the document in

Submit the whole document each time it changes, between two lines of four backticks:

\`\`\`\`document
---
(front matter: ${matterOf(name)})
---
# Title
\`\`\`\`

Its sections, each with "## ": ${sections.join(', ')}.${better}${phases ? ' Each phase is a section "## Phase 1: …" with the words Automated and Manual, and one checkbox per criterion.' : ''}`;
};

const matterOf = (name: DocumentName): string => {
  const { type, statuses, keys } = documentSchemas[name];
  return `date as YYYY-MM-DD, status: ${statuses[0]}, type: ${type}${keys.map((key) => `, ${key}`).join('')}`;
};

const askingRule = `## Asking

Ask one question at a time. To offer a choice, end your reply with a block of JSON; the person may also answer in other words:

\`\`\`ask
{"question": "…?", "options": [{"label": "…", "detail": "…"}], "several": false}
\`\`\``;

/** Asks once for a document that its schema accepts. */
export const repairPrompt = (problems: readonly string[]): string =>
  `The document does not match its format yet:\n${problems
    .slice(0, 20)
    .map((problem) => `- ${problem}`)
    .join('\n')}\n\nReturn the whole document with these problems fixed, and change nothing else.`;

/** Most characters of the talk before that a new agent gets. */
const longestStory = 40_000;

/** What an agent that does not remember the conversation has to know, before its first words. */
export const storyPrompt = (talk: Talk, nonce: string): string => {
  const said = talk.turns
    .flatMap((turn) =>
      turn.type === 'said'
        ? [`${turn.by}: ${turn.text}`]
        : turn.type === 'asked'
          ? [`question: ${turn.text}`]
          : [],
    )
    .join('\n\n');
  return [
    'The conversation began earlier, and you do not remember it. What was said:',
    fenced(nonce, 'the conversation', said.slice(-longestStory)),
    ...(talk.document === '' ? [] : ['The current document:', fenced(nonce, 'the document', talk.document)]),
  ].join('\n\n');
};
