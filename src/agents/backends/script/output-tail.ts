import { failureLine, isNoise } from '../../../base/failure-line.ts';
import { safe } from '../../../base/safe.ts';

/** Keeps the end of a command's output, to say why the command failed. */
export interface OutputTail {
  add(bytes: Uint8Array): void;
  /**
   * The line that looks like the error, else the last whole lines, at most three, joined into one. Leaves out overlong lines instead of cutting them:
   * redaction does not recognize half a secret.
   */
  text(): string;
}

/** A stack or test summary of this length may follow the line with the error. */
const keptBytes = 16_384;
const longestLine = 300;

const lastOf = (lines: readonly string[]): string => {
  const telling = lines.filter((line) => !isNoise(line));
  return (telling.length > 0 ? telling : lines)
    .slice(-3)
    .map((line) => line.trim())
    .join(' / ');
};

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
      const readable = (isWhole ? lines : lines.slice(1))
        .map((line) => safe(line).trimEnd())
        .filter((line) => line.trim() !== '' && line.length <= longestLine);
      return failureLine(readable) ?? lastOf(readable);
    },
  };
};
