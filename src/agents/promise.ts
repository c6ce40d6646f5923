import { fromJson } from '../base/json.ts';
import { linesOutsideFences } from '../tasks/markdown/outside-fences.ts';

/** An agent's mark that a loop is complete (src/discovery/README.md, The loop). */
const promiseText = '<promise>COMPLETE</promise>';

/** Whether the last line of a reply is the promise. A promise inside a code fence does not count. Ignores the JSON answer after it. */
export const isPromised = (reply: string): boolean => {
  const text = withoutAnswer(reply.trimEnd()).trimEnd();
  const start = text.lastIndexOf('\n');
  if (text.slice(start + 1).trim() !== promiseText) return false;
  // Inside a fence the last line adds nothing to the lines outside.
  const before = start < 0 ? 0 : linesOutsideFences(text.slice(0, start)).length;
  return linesOutsideFences(text).length > before;
};

/** Removes the final JSON object, which prompts ask for: it is the contract, not the reply. */
const withoutAnswer = (reply: string): string => {
  if (!reply.endsWith('}')) return reply;
  for (let at = reply.lastIndexOf('{'), tries = 0; at >= 0 && tries < 200; tries += 1) {
    if (isJson(reply.slice(at)) && (at === 0 || reply[at - 1] === '\n')) return reply.slice(0, at);
    at = at === 0 ? -1 : reply.lastIndexOf('{', at - 1);
  }
  return reply;
};

const isJson = (text: string): boolean => fromJson(text) !== undefined;
