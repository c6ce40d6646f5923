import { basename, dirname, join } from 'node:path';
import { type Disk, diskCode } from '../../../base/disk.ts';
import type { Redact } from '../../../base/redact.ts';
import { lastWords } from '../last-words.ts';

/** The most bytes kept of an agent's log. The rest helps nobody and may be gigabytes. */
const mostBytes = 4_194_304;

/** The agent's own log. */
export interface AgentLog {
  /** Relative to the session directory. */
  readonly file: string;
  readonly write: (bytes: Uint8Array) => void;
  /** Its last line with words, cut and without secrets; empty where it wrote none. */
  readonly last: () => string;
}

/**
 * Writes an agent's stderr, and stdout lines that are no messages, to a file beside the logs of attempts (src/agents/README.md, ACP flow, step 1). Works by
 * lines, because redaction needs whole lines, and cuts each at 16 KiB. A full disk ends the log and nothing else.
 */
export const createAgentLog = (
  { disk, redact }: { readonly disk: Disk; readonly redact?: Redact },
  path: string,
): AgentLog => {
  const decoder = new TextDecoder();
  let held = '';
  let written = 0;
  let tail = '';

  const append = (text: string): void => {
    if (text === '' || written >= mostBytes) return;
    tail = text.slice(-4 * lastCharacters);
    const bytes = new TextEncoder().encode(redact?.(text) ?? text).subarray(0, mostBytes - written);
    written += bytes.length;
    try {
      disk.mkdir(dirname(path));
      const handle = disk.openAppend(path);
      disk.write(handle, bytes);
      disk.close(handle);
    } catch (error) {
      if (diskCode(error) === '') throw error;
      written = mostBytes;
    }
  };

  const write = (bytes: Uint8Array): void => {
    if (written >= mostBytes) return;
    const text = held + decoder.decode(bytes, { stream: true });
    const end = text.lastIndexOf('\n') + 1 || (text.length > longestLine ? text.length : 0);
    append(text.slice(0, end));
    held = text.slice(end);
  };

  return {
    file: join('logs', basename(path)),
    write,
    last: () => {
      const line = lastWords(`${tail}${held}`);
      return (redact?.(line) ?? line).trim().slice(0, lastCharacters);
    },
  };
};

/** Characters of the last line that a sentence quotes. */
const lastCharacters = 200;

const longestLine = 16_384;
