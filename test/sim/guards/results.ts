import { readText } from '../../../src/base/replace-file.ts';
import type { Event } from '../../../src/pipeline/event.ts';
import { parseReport } from '../../../src/session/report.ts';
import type { CreateGuard } from './guard.ts';

/** A fact on which nothing outside depends yet is on disk after this time, unless that is full; a power loss before that makes it be found again. */
const durableAfterMs = 150;

/**
 * No task result is lost: what once stood in the journal stands there in the end, word for word, a result is worked out once, and each done task's report is
 * on disk with its verdict.
 */
export const guardResults: CreateGuard = ({ session, say, journal, wasFull }) => {
  const results = new Map<number, string>();
  let seen = 0;
  return {
    look: () => {
      const settled = session.clock.now() - durableAfterMs;
      for (; seen < session.events.length; seen += 1) {
        const event = session.events[seen];
        if (!event || Date.parse(event.at) > settled) return;
        if (isResult(event) && !wasFull(Date.parse(event.at))) results.set(event.seq, JSON.stringify(event));
      }
    },
    died: () => {
      seen = session.events.length;
    },
    end: (state) => {
      const events = journal();
      for (const [seq, line] of results) {
        const now = JSON.stringify(events[seq - 1]);
        if (now !== line) say(`the result of event ${seq} is lost: ${line} became ${now}`);
      }
      for (const problem of repeated(events)) say(problem);
      for (const [id, { status, attempt, definition }] of state.tasks) {
        if (status !== 'done' || attempt === 0 || definition.replaced_by?.length) continue;
        // No agent works on a merge: commands verify it, and nobody reports.
        if (definition.phase === 'merge') continue;
        const reported = events.findLast(
          (event) =>
            event.type === 'invocation.ended' &&
            event.outcome.role === 'Executor' &&
            event.outcome.task_id === id,
        );
        const path =
          reported?.type === 'invocation.ended' && reported.outcome.role === 'Executor'
            ? reported.outcome.report_path
            : null;
        const text = path === null ? null : readText(session.disk, `${session.paths.directory}/${path}`);
        if (text === null) say(`${id} is done, and its report ${path} is not on disk`);
        // A turn of a loop is reviewed only where something verifies it, and the tasks of a flow are checked by the engine.
        else if (state.mode === 'flow' || (state.mode === 'loop' && definition.verify.length === 0)) continue;
        else if (parseReport(text, path ?? '').value.part2?.verdict !== 'Qualified')
          say(`${id} is done, and ${path} does not say so`);
      }
    },
  };
};

const isResult = ({ type }: Event): boolean =>
  type === 'task.submitted' ||
  type === 'task.qualified' ||
  type === 'task.failed' ||
  type === 'invocation.ended';

/** A result that is recorded twice for one attempt was worked out twice. */
const repeated = (events: readonly Event[]): readonly string[] => {
  const known = new Set<string>();
  let iteration = 1;
  return events.flatMap((event) => {
    // Attempts are counted anew in every iteration, and a task that a person opens again after the end is no repetition.
    if (event.type === 'iteration.started') iteration = event.iteration;
    // It is verified once more, and done again.
    if (event.type === 'verify.outdated')
      known.delete(`task.qualified of ${event.task} attempt ${event.attempt} in iteration ${iteration}`);
    if (event.type !== 'task.qualified' && event.type !== 'task.submitted') return [];
    // No agent did it: `guardOnce` counts what the engine of a flow does itself.
    if (event.attempt === 0) return [];
    const key = `${event.type} of ${event.task} attempt ${event.attempt} in iteration ${iteration}`;
    const again = known.has(key);
    known.add(key);
    return again ? [`${key} appears twice`] : [];
  });
};

/** What an attempt reported is never written over: a review is added to it, and that is all. */
export const guardAttempts: CreateGuard = ({ session, say }) => {
  const reports = new Map<string, { readonly text: string; readonly invocation: string }>();
  return {
    see: (event) => {
      if (event.type !== 'invocation.ended' || event.outcome.role !== 'Executor') return;
      const { report_path: path } = event.outcome;
      const before = reports.get(path);
      const text = readText(session.disk, `${session.paths.directory}/${path}`);
      if (before && before.invocation !== event.invocation && !text?.startsWith(before.text))
        say(`event ${event.seq}: ${path} of ${before.invocation} was written over by ${event.invocation}`);
      if (text !== null) reports.set(path, { text, invocation: event.invocation });
    },
    end: () => {
      for (const [path, { text, invocation }] of reports) {
        const now = readText(session.disk, `${session.paths.directory}/${path}`);
        if (!now?.startsWith(text)) say(`what ${invocation} wrote to ${path} does not stand there any more`);
      }
    },
  };
};
