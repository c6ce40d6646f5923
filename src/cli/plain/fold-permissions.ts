import type { Event, EventOf } from '../../pipeline/event.ts';
import { count } from '../../words/local-time.ts';

/** What the plain log prints for one event. */
interface Folded {
  /** Lines before the event's own. */
  readonly before: readonly string[];
  readonly isHidden: boolean;
  /** A request that was hidden and has its turn now. */
  readonly next: EventOf<'permission.asked'> | null;
}

/** Requests and refusals of one agent that are printed singly at a time. */
const mostShown = 5;

interface Run {
  /** Open requests with a line of their own. */
  readonly shown: Set<string>;
  /** Open requests without one, oldest first. */
  readonly hidden: Map<string, EventOf<'permission.asked'>>;
  refused: number;
  /** Hidden requests that ended without a line. */
  settled: number;
}

/**
 * Folds the permissions of an agent that asks for many: five open requests have lines of their own, an answer brings the next one, and the rest of the
 * refusals is one count before the agent's next line. Journal and `--json` keep all of them.
 */
export const createPermissionFold = (): ((event: Event) => Folded) => {
  const runs = new Map<string, Run>();

  const runOf = (invocation: string): Run => {
    const run = runs.get(invocation) ?? { shown: new Set(), hidden: new Map(), refused: 0, settled: 0 };
    runs.set(invocation, run);
    return run;
  };

  const flush = (invocation: string): readonly string[] => {
    const run = runs.get(invocation);
    if (run === undefined) return [];
    const refused = run.refused - mostShown;
    const lines = [
      ...(refused > 0 ? [`${invocation}: ${refused} more refused`] : []),
      ...(run.settled > 0 ? [`${invocation}: ${count(run.settled, 'more request')} answered`] : []),
    ];
    run.refused = 0;
    run.settled = 0;
    if (run.shown.size + run.hidden.size === 0) runs.delete(invocation);
    return lines;
  };

  const asked = (event: EventOf<'permission.asked'>): Folded => {
    const run = runOf(event.invocation);
    if (run.shown.size < mostShown) {
      run.shown.add(event.request);
      return { before: flush(event.invocation), isHidden: false, next: null };
    }
    run.hidden.set(event.request, event);
    const isFirst = run.hidden.size === 1;
    return {
      before: isFirst
        ? [`${event.invocation}: more requests are waiting; each answer shows the next one`]
        : [],
      isHidden: true,
      next: null,
    };
  };

  const answered = ({ invocation, request, decision }: EventOf<'permission.answered'>): Folded => {
    const run = runOf(invocation);
    if (run.hidden.delete(request)) {
      run.settled += 1;
      return { before: [], isHidden: true, next: null };
    }
    run.shown.delete(request);
    const [next] = decision === 'cancelled' ? [] : run.hidden.values();
    if (next !== undefined) {
      run.hidden.delete(next.request);
      run.shown.add(next.request);
    }
    return { before: [], isHidden: false, next: next ?? null };
  };

  return (event) => {
    switch (event.type) {
      case 'permission.asked':
        return asked(event);
      case 'permission.answered':
        return answered(event);
      case 'finding.noted': {
        if (event.refused !== true) break;
        const run = runOf(event.invocation);
        run.refused += 1;
        return { before: [], isHidden: run.refused > mostShown, next: null };
      }
      // A tool call is between two requests.
      case 'tool.started':
      case 'tool.ended':
        return nothing;
      case 'session.stopped':
        return { ...nothing, before: [...runs.keys()].flatMap(flush) };
    }
    return 'invocation' in event && typeof event.invocation === 'string'
      ? { ...nothing, before: flush(event.invocation) }
      : nothing;
  };
};

const nothing: Folded = { before: [], isHidden: false, next: null };
