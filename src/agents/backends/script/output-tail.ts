import { safe } from '../../../base/safe.ts';

/** Remembers the end of a command's output, for the sentence that says why it failed. */
export interface OutputTail {
  add(bytes: Uint8Array): void;
  /** The last whole lines, at most three, as one line of text. Lines too long to read are left out, not cut: half a secret is not recognised as one. */
  text(): string;
}

const keptBytes = 2_048;
const longestLine = 300;

export const createOutputTail = (): OutputTail => {
  let kept = new Uint8Array(0);
  let isWhole = true;
  return {
    add: (bytes) => {
      const joined = new Uint8Array(kept.length + Math.min(bytes.length, keptBytes));
      joined.set(kept);
      joined.set(bytes.subarray(Math.max(0, bytes.length - keptBytes)), kept.length);
      isWhole &&= kept.length + bytes.length <= keptBytes;
      kept = joined.slice(Math.max(0, joined.length - keptBytes));
    },
    text: () => {
      const lines = new TextDecoder().decode(kept).split(/\r\n|\n|\r/u);
      return (isWhole ? lines : lines.slice(1))
        .map((line) => safe(line).trim())
        .filter((line) => line !== '' && line.length <= longestLine)
        .slice(-3)
        .join(' / ');
    },
  };
};
