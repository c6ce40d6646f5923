import type { Message } from '../../port.ts';
import { steerTree } from '../../replies/steers.ts';
import { byProof, unprovenText } from '../../unproven.ts';
import type { PromptBlock } from './link.ts';

/**
 * People's messages as the prompt text for a working agent. Our own words come first, so that `/word` in a message is never a slash command of the
 * agent.
 */
export const messageText = (messages: readonly Message[], ending: 'injected' | 'prompt'): string => {
  const { proven, unproven } = byProof(messages);
  const steers = proven.filter(({ kind }) => kind === 'STEER');
  const lines = proven.map(({ id, kind, text, from, apply }) => {
    const who = from === undefined ? '' : ` from ${from}`;
    const order = apply === undefined ? '' : ` (the sender decided: ${apply})`;
    return `- ${kind}${who}${kind === 'STEER' ? ` [id ${id}]${order}` : ''}: ${text}`;
  });
  const close =
    ending === 'injected'
      ? 'Continue your work, and follow this message.'
      : 'Your last reply was discarded. Continue your work with this in mind, and end with the JSON object again.';
  return [
    ...(proven.length > 0
      ? [`Message from the person who runs this session${steers.length > 0 ? '; a STEER is an order' : ''}:`]
      : []),
    ...lines,
    ...(steers.length > 0 ? ['', steerTree, ''] : []),
    ...(unproven.length > 0 ? [unprovenText(unproven)] : []),
    proven.length === 0 && ending === 'injected' ? 'Continue your work.' : close,
  ].join('\n');
};

/** The prompt after a pause: the agent either kept its context or lost it with its process. */
export const continueText = (messages: readonly Message[]): string =>
  messages.length === 0
    ? 'The session was paused and has now resumed. Continue where you left off, and end with the JSON object.'
    : `The session was paused and has now resumed.\n${messageText(messages, 'injected')}\nEnd with the JSON object.`;

/** The first prompt of a replacement session: the original prompt and the reply so far. */
export const summaryText = (prompt: string, reply: string): string =>
  `${prompt}\n\n## Where you left off\nYou worked on this before and were interrupted. Your session is gone, but your files are as you left them. Check them first, and do not repeat what is already done.${
    reply === '' ? '' : `\nYour last output was:\n${reply}`
  }`;

const image = /\.(?:avif|bmp|gif|heic|ico|jpe?g|png|tiff?|webp)$/iu;

/** Links no images, which agents cannot read from a message. Reports each once. */
export const withoutImages = (
  uriOf: (path: string) => string | null,
  refuse: (path: string) => void,
): ((path: string) => string | null) => {
  const refused = new Set<string>();
  return (path) => {
    const uri = uriOf(path);
    if (uri === null || !image.test(path)) return uri;
    if (!refused.has(path)) refuse(path);
    refused.add(path);
    return null;
  };
};

/** Characters allowed in a path named with `@`. A full stop or bracket at its end belongs to the sentence. */
const mention = /(?<![\w@])@((?:[\w.+-]+\/)*[\w.+-]*[\w+-])/g;

/** The blocks of a message: its text, and a link for each workspace file that it names as `@path`. `uriOf` gives `null` if there is no such file. */
export const messageBlocks = (
  text: string,
  said: readonly Message[],
  uriOf: (path: string) => string | null,
): readonly PromptBlock[] => {
  const named = new Set(
    said.flatMap((message) => [...message.text.matchAll(mention)].map((match) => match[1] ?? '')),
  );
  const links = [...named].flatMap((path): readonly PromptBlock[] => {
    const uri = uriOf(path);
    return uri === null ? [] : [{ type: 'resource_link', uri, name: path }];
  });
  return [{ type: 'text', text }, ...links];
};
