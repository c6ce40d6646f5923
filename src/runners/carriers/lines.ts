import { longestFrame } from '../wire/frame.ts';

/**
 * Cuts bytes into lines of UTF-8. A line longer than a frame is passed on as `null`, once: nothing of it is kept.
 */
export const createLines = (line: (text: string | null) => void): ((bytes: Uint8Array) => void) => {
  const decoder = new TextDecoder();
  let held: string[] = [];
  let length = 0;
  return (bytes) => {
    const parts = decoder.decode(bytes, { stream: true }).split('\n');
    for (const [index, part] of parts.entries()) {
      length += part.length;
      if (length <= longestFrame) held.push(part);
      if (index === parts.length - 1) return;
      line(length > longestFrame ? null : held.join(''));
      held = [];
      length = 0;
    }
  };
};
