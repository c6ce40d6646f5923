/** How far from the end an answer is looked for, in characters, and how many places are tried. */
const reach = 262_144;
const mostTries = 2_000;

/**
 * The last JSON object in what a program printed, prose and code fences around it or not; `undefined` when there is none. Of nested objects the outermost is
 * meant.
 */
export const lastJson = (text: string): unknown => {
  const tail = text.slice(-reach);
  const end = tail.lastIndexOf('}') + 1;
  let tries = 0;
  for (let at = tail.indexOf('{'); at >= 0 && at < end && tries < mostTries; at = tail.indexOf('{', at + 1)) {
    tries += 1;
    try {
      return JSON.parse(tail.slice(at, end));
    } catch {
      // Not the beginning of the last object: the next brace may be.
    }
  }
  return undefined;
};
