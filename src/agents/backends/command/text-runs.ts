import type { Child } from '../../../base/process/spawn.ts';
import { safeBlock } from '../../../base/safe.ts';
import { markerOf } from '../../marker.ts';
import { exitClause, exitText } from '../exit-text.ts';
import { lastWords } from '../last-words.ts';
import { createRecentText } from '../recent-text.ts';
import { type ProgramRunPorts, type ProgramRuns, programOf } from './program-run.ts';

const keptCharacters = 1_048_576;
const keptComplaints = 4_096;
const longestWords = 300;

/** Runs of a program that prints its answer as text. Its output passes as it is. */
export const createTextRuns = ({ brief, host, clock, spawn, call: callOf }: ProgramRunPorts): ProgramRuns => {
  let child: Child | null = null;
  return {
    run: async ({ text, index, begun: tellBegun }) => {
      const call = callOf(text);
      const program = programOf(call);
      host.emit({
        type: 'command.started',
        index,
        of: index + 1,
        purpose: 'run',
        command: { cmd: [program] },
      });
      const begun = clock.monotonic();
      const printed = createRecentText(keptCharacters);
      const complained = createRecentText(keptComplaints);
      child = spawn.start(
        { ...call, marker: markerOf(brief) },
        {
          started: ({ pid, startTime }) =>
            host.emit({ type: 'process.started', index, pid, start_time: startTime }),
          output: (bytes, stream) => {
            host.output(bytes, stream);
            if (stream === 'stdout') {
              tellBegun();
              printed.add(bytes);
            } else complained.add(bytes);
          },
        },
      );
      const exit = await child.exit;
      child = null;
      const ok = exit.kind === 'exited' && exit.code === 0;
      if (ok) tellBegun();
      const duration_ms = Math.max(0, Math.round(clock.monotonic() - begun));
      host.emit({ type: 'command.ended', index, exit: exitText(exit), ok, duration_ms });
      if (ok) return { kind: 'replied', text: printed.text() };
      const last = lastWords(safeBlock(complained.text())).trim().slice(0, longestWords);
      const what = `${program} ${exitClause(exit)}${last === '' ? '' : `, after "${last}"`}`;
      return { kind: 'failed', fault: { code: 'agent-failed', what, where: brief.invocation } };
    },
    stop: async (graceMs) => {
      await child?.stop(graceMs);
    },
  };
};
