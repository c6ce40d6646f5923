import type { Brief, Message } from '../../port.ts';

/** One part of a prompt: a heading and what stands under it; an empty part is left out. */
export type Part = readonly [heading: string, body: string | readonly string[]];

/**
 * A prompt for a model backend: who one is, the parts, and the contract of the answer. Text from people and files is quoted as material, so that
 * it cannot pass for our own instructions.
 */
export const prompt = (duty: string, parts: readonly Part[], contract: string): string =>
  [
    duty,
    ...parts.map(([heading, body]) => {
      const text = typeof body === 'string' ? body.trim() : body.map((line) => `- ${line}`).join('\n');
      return text === '' ? '' : `## ${heading}\n${text}`;
    }),
    `## Answer\nEnd with one JSON object and nothing after it:\n${contract}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');

/** What was said so far; a STEER carries the tree that the answer has to follow. */
export const messageParts = (messages: readonly Message[]): readonly Part[] => {
  const of = (kinds: readonly string[]): readonly string[] =>
    messages
      .filter((message) => kinds.includes(message.kind) && message.text !== '')
      .map((message) => `${message.from ? `${message.from}: ` : ''}${message.text}`);
  const steers = of(['STEER']);
  return [
    ['Feedback on earlier attempts', of(['RETRY'])],
    ['Facts and context', of(['INFO', 'PAUSE', 'RESUME'])],
    ['Steering', steers],
    ['How to follow steering', steers.length > 0 ? steerTree : ''],
  ];
};

export const sessionPart = (brief: Brief): Part => [
  'Session',
  [
    `Goal: ${brief.goal}`,
    `Workspace: ${brief.workspace}`,
    `Session ${brief.session}, iteration ${brief.iteration}; its files lie in ${brief.sessionDirectory}`,
  ],
];

/** Seed 001, section 3.1, in the words of the answer's contract. */
const steerTree = `For each steering message decide, by the files you changed, the success criteria and the objective:
(a) it contradicts work already done: restart the step with it in mind, verdict "restart";
(b) it only adds: go on where you are and keep to it, verdict "adjust";
(c) it redefines the task: stop, do not change the scope yourself, status "blocked", "escalation": the message.
Name each in "steers" with the evidence.`;
