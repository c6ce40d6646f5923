import { safe } from '../../src/base/safe.ts';
import { chainOf } from '../../src/pipeline/scheduling/chain.ts';
import type { SessionState } from '../../src/pipeline/state.ts';
import { graphOf } from '../../src/pipeline/waves.ts';
import { isComplete } from '../../src/session/status.ts';
import { count, type LocalTime } from '../../src/words/local-time.ts';
import { badEnd, stateWord } from '../../src/words/state-words.ts';
import { isAtRest } from '../details/select-attempts.ts';
import { readingOf } from '../reading.ts';
import { atRunner } from '../tasks/select-runners.ts';
import type { ViewState } from '../view.ts';
import type { Idle } from './idle.ts';
import type { Bar, Mark } from './timeline.ts';
import type { Wait } from './waits.ts';

/** The part of the timeline in sight. */
export interface TimelineView {
  readonly from: number;
  readonly to: number;
  readonly lanes: readonly Lane[];
  readonly states: readonly { readonly word: string; readonly from: number; readonly to: number }[];
  readonly marks: readonly Mark[];
  readonly spans: readonly Wait[];
  /** Slots without work, each with the reason. */
  readonly idle: readonly IdleSpan[];
  /** Where what has no end reaches to: now, or the end of a session that no program runs. */
  readonly present: number;
  /** The word of the end of such a session, "ended", "failed" or "stopped"; `null` while it runs. */
  readonly ended: string | null;
  /** The bar under the cursor. `null` follows the present. */
  readonly at: Bar | null;
}

/** "2 slots, for parser", and the same in fewer words. */
export interface IdleSpan {
  readonly words: readonly string[];
  readonly from: number;
  readonly to: number | null;
}

/** One executor or worker. */
export interface Lane {
  readonly title: string;
  readonly bars: readonly Bar[];
}

/** Parts of a session that the timeline can show, in milliseconds, the shortest first. */
const parts = [15_000, 60_000, 5 * 60_000, 15 * 60_000, 3_600_000, 4 * 3_600_000, 24 * 3_600_000];

/** The part `by` steps longer or shorter than the one in sight: shorter than the session, or the whole one (`null`). */
export const nextSpan = (view: ViewState, by: -1 | 1): number | null => {
  const { ui, session } = view;
  const known = session === null ? 0 : Date.parse(session.at) - beginOf(view);
  const shorter: readonly (number | null)[] = [...parts.filter((part) => part < known), null];
  const shown = shorter.includes(ui.span) ? shorter.indexOf(ui.span) : shorter.length - 1;
  return shorter[Math.max(0, Math.min(shorter.length - 1, shown + by))] ?? null;
};

/** When the first work or state began; never before there is any. */
const beginOf = ({ timeline: { bars, states } }: ViewState): number =>
  Math.min(bars[0]?.from ?? Number.POSITIVE_INFINITY, states[0]?.from ?? Number.POSITIVE_INFINITY);

/**
 * The lanes of the session. Executors come first, in the order of their numbers; each worker of a team has a lane of its own. Those of this machine come
 * before those of each runner.
 */
export const lanesOf = ({ bars }: ViewState['timeline']): readonly Lane[] => {
  const lanes = Map.groupBy(bars, (bar) => `${bar.worker ?? `${bar.role} ${bar.lane}`}${atRunner(bar)}`);
  const several = new Set(
    bars.flatMap((bar) => (bar.worker === null && bar.lane > 0 ? [`${bar.role}${atRunner(bar)}`] : [])),
  );
  const places = [null, ...new Set(bars.flatMap(({ runner }) => runner ?? []))];
  const placeOf = ([first]: readonly Bar[]): number => places.indexOf(first?.runner ?? null);
  const order = ['Executor', 'Reviewer', 'Planner', 'Questioner', 'Librarian'];
  return [...lanes.values()]
    .toSorted((a, b) => placeOf(a) - placeOf(b) || rankOf(order, a) - rankOf(order, b))
    .map((own) => {
      const [first] = own;
      const role = first?.worker ?? first?.role ?? '';
      const at = atRunner({ runner: first?.runner ?? null });
      const number = several.has(`${role}${at}`) ? ` ${(first?.lane ?? 0) + 1}` : '';
      return { title: `${role}${number}${at}`, bars: own };
    });
};

const rankOf = (order: readonly string[], [first]: readonly Bar[]): number => {
  const place = order.indexOf(first?.role ?? '');
  return (place < 0 ? order.length : place) * 1_000 + (first?.lane ?? 0);
};

/** The bar that a person chose, if it is still known. */
export const selectBar = (view: ViewState): Bar | null => {
  const { at } = readingOf(view.ui, 'timeline');
  return at === null ? null : (view.timeline.bars.find(({ id }) => id === at) ?? null);
};

type Stretch = TimelineView['states'][number];

/** Several states of the engine are one to a person. */
const joined = (stretches: readonly Stretch[]): readonly Stretch[] => {
  const all: Stretch[] = [];
  for (const each of stretches) {
    const last = all.at(-1);
    if (last?.word === each.word) all[all.length - 1] = { ...last, to: each.to };
    else all.push(each);
  }
  return all;
};

/** The timeline as this screen shows it. The right edge is the present, or keeps the chosen bar in sight. */
export const selectTimeline = (view: ViewState, now: LocalTime): TimelineView => {
  const { states, marks, spans } = view.timeline;
  const at = selectBar(view);
  const { present, ended } = presentOf(view, now);
  const whole = present - beginOf(view);
  const length = Math.max(1_000, Math.min(view.ui.span ?? whole, whole));
  const reach =
    at === null || at.from >= present - length ? present : Math.min(present, at.from + length * 0.75);
  const [from, to] = [reach - length, reach];
  const isInSight = (start: number, end: number | null): boolean => start <= to && (end ?? present) >= from;
  return {
    from,
    to,
    at,
    present,
    ended,
    // A role that did nothing in this time has no row.
    lanes: lanesOf(view.timeline)
      .map(
        ({ title, bars: own }): Lane => ({
          title,
          bars: own.flatMap((bar) =>
            isInSight(bar.from, bar.to)
              ? [bar.to === null && ended !== null ? { ...bar, end: 'stopped' } : bar]
              : [],
          ),
        }),
      )
      .filter(({ bars: own }) => own.length > 0),
    states: joined(
      states.map(({ state, status, from: start }, index) => ({
        word: stateWord(state, view.session?.mode ?? 'waves', status),
        from: start,
        to: states[index + 1]?.from ?? present,
      })),
    ).filter((each) => isInSight(each.from, each.to)),
    marks: marks.filter(({ at: when }) => when >= from && when <= to),
    spans: spans.filter((span) => isInSight(span.from, span.to)),
    idle: idleSpans(view).filter((span) => isInSight(span.from, span.to)),
  };
};

/** A session that no program runs has no now: its time stands where its journal ends. */
const presentOf = (view: ViewState, now: LocalTime): Pick<TimelineView, 'present' | 'ended'> => {
  const { session } = view;
  if (session === null || !isAtRest(view)) return { present: now.ms, ended: null };
  const ended = badEnd(session.state, session.status)?.toLowerCase() ?? 'ended';
  return { present: Date.parse(session.at), ended: isComplete(session) ? ended : 'stopped' };
};

/** Neighbours with one reason are one span. While nothing is left that could start, no slot is missed. */
const idleSpans = ({ session, timeline }: ViewState): readonly IdleSpan[] => {
  if (session === null) return [];
  const spans: IdleSpan[] = [];
  for (const each of timeline.idle) {
    const why = reasonOf(session, each);
    if (why === null) continue;
    const { slots, from, to } = each;
    const whole = `${count(slots, 'slot')}, ${why}`;
    const last = spans.at(-1);
    if (last?.words[0] === whole && last.to === from) spans[spans.length - 1] = { ...last, to };
    else spans.push({ words: [whole, why], from, to });
  }
  return spans;
};

/** "for parser": the one of the tasks at work with the longest chain behind it. Or "docs must wait": it cannot run beside them. */
const reasonOf = (session: SessionState, { works, held }: Idle): string | null => {
  if (held !== null) return `${safe(held)} must wait`;
  const { dependantsOf } = graphOf(session);
  const chain = chainOf(session);
  const [longest] = works
    .filter((id) => (dependantsOf.get(id) ?? []).length > 0)
    .toSorted((one, other) => chain(other) - chain(one));
  return longest === undefined ? null : `for ${safe(longest)}`;
};
