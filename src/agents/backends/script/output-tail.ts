import { failureLine, isNoise } from '../../../base/failure-line.ts';
import { safe } from '../../../base/safe.ts';

/** Keeps the end of a command's output, to say why the command failed. */
export interface OutputTail {
  add(bytes: Uint8Array): void;
  /**
   * The line that looks like the error, else the last whole lines, at most three, joined into one; '' for no output but npm's own. Leaves out overlong lines instead of cutting them:
   * redaction does not recognize half a secret.
   */
  text(): string;
  /** The last lines, at most `longestEnd` characters of them. */
  end(): string;
}

/** A stack or test summary of this length may follow the line with the error. */
const keptBytes = 16_384;
const longestLine = 300;
const longestEnd = 4_000;

/** npm prints the script before it runs: `> demo@1.0.0 test`, `> node --test`. */
const isEcho = (line: string): boolean => /^> \S/.test(line);

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
  const readable = (): readonly string[] => {
    const lines = new TextDecoder().decode(kept).split(/\r\n|\n|\r/u);
    return (isWhole ? lines : lines.slice(1))
      .map((line) => safe(line).trimEnd())
      .filter((line) => line.trim() !== '' && line.length <= longestLine);
  };
  return {
    add: (bytes) => {
      const joined = new Uint8Array(kept.length + Math.min(bytes.length, keptBytes));
      joined.set(kept);
      joined.set(bytes.subarray(Math.max(0, bytes.length - keptBytes)), kept.length);
      isWhole &&= kept.length + bytes.length <= keptBytes;
      kept = joined.slice(Math.max(0, joined.length - keptBytes));
    },
    text: () => {
      const lines = readable().filter((line) => !isEcho(line));
      return failureLine(lines) ?? lastOf(lines);
    },
    end: () => {
      const lines: string[] = [];
      let room = longestEnd;
      for (const line of readable().toReversed()) {
        room -= line.length + 1;
        if (room < 0) break;
        lines.unshift(line);
      }
      return lines.join('\n');
    },
  };
};
