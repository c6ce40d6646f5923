import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { z } from 'zod';
import { limits } from '../limits.ts';
import type { AgentScript } from './script.ts';

const entrySchema = z.looseObject({ at: z.number(), pid: z.number(), what: z.string() });

/** One line of the log: when (ms since 1970), by which process, what, and what belongs to it. */
export type LogEntry = z.infer<typeof entrySchema>;

/** How a scripted agent is started, and what its processes have done so far. */
export interface ScriptedAgent {
  readonly command: string;
  readonly args: readonly string[];
  readonly log: () => readonly LogEntry[];
  /** Resolves with the first entry, past or to come, that fits; rejects with the whole log after `timeout` ms. */
  readonly until: (what: string, fits?: (entry: LogEntry) => boolean, timeout?: number) => Promise<LogEntry>;
}

const quickStart = join(import.meta.dirname, '../quick-start.mjs');

/** Writes the script into the directory, beside the log. The directory must outlive the agent. */
export const createScriptedAgent = (
  directory: string,
  script: Omit<AgentScript, 'log'>,
  name = 'agent',
): ScriptedAgent => {
  const log = join(directory, `${name}.log`);
  const file = join(directory, `${name}.json`);
  writeFileSync(file, JSON.stringify({ log, ...script }));
  const read = (): readonly LogEntry[] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          // The last piece is empty, or a line that is still being written.
          .slice(0, -1)
          .map((line) => entrySchema.parse(JSON.parse(line)))
      : [];
  return {
    command: process.execPath,
    args: [quickStart, join(import.meta.dirname, 'follow-script.ts'), file],
    log: read,
    until: async (what, fits = () => true, timeout: number = limits.wait) => {
      const deadline = performance.now() + timeout;
      for (;;) {
        const found = read().find((entry) => entry.what === what && fits(entry));
        if (found) return found;
        if (performance.now() > deadline)
          throw new Error(
            `${timeout} ms passed while waiting for "${what}"\n${JSON.stringify(read(), null, 1)}`,
          );
        await pass(20);
      }
    },
  };
};
