import { selectTimeline, type TimelineView } from '../../../components/timeline/select-timeline.ts';
import { type Bar, letterOf } from '../../../components/timeline/timeline.ts';
import type { Wait } from '../../../components/timeline/waits.ts';
import type { ViewState } from '../../../components/view.ts';
import { safe } from '../../base/safe.ts';
import type { LocalTime } from '../../words/local-time.ts';

/** The whole session on lanes. Times are milliseconds since the epoch. */
export interface PageTimeline {
  readonly from: number;
  readonly to: number;
  readonly lanes: readonly { readonly title: string; readonly bars: readonly PageBar[] }[];
  readonly states: readonly { readonly word: string; readonly from: number; readonly to: number }[];
  readonly marks: readonly { readonly at: number; readonly letter: string; readonly text: string }[];
  readonly spans: readonly { readonly why: Wait['why']; readonly from: number; readonly to: number }[];
}

export interface PageBar {
  readonly label: string;
  readonly task: string | null;
  readonly attempt: number | null;
  readonly from: number;
  readonly to: number;
  readonly end: Bar['end'];
  readonly waits: readonly { readonly from: number; readonly to: number }[];
}

/** The timeline pane of the screen, with the whole session in sight. */
export const pageTimeline = (view: ViewState, now: LocalTime): PageTimeline => {
  const whole: ViewState = { ...view, ui: { ...view.ui, span: null } };
  const { from, to, lanes, states, marks, spans }: TimelineView = selectTimeline(whole, now);
  return {
    from,
    to,
    lanes: lanes.map(({ title, bars }) => ({ title, bars: bars.map((bar) => barOf(bar, to)) })),
    states: joined(states),
    marks: marks.map((mark) => ({ at: mark.at, letter: letterOf(mark), text: safe(mark.text) })),
    spans: spans.map((span) => ({ why: span.why, from: span.from, to: span.to ?? to })),
  };
};

const barOf = (bar: Bar, now: number): PageBar => ({
  label:
    bar.task === null ? bar.role : `${safe(bar.task)}${(bar.attempt ?? 1) > 1 ? ` #${bar.attempt}` : ''}`,
  task: bar.task === null ? null : safe(bar.task),
  attempt: bar.attempt,
  from: bar.from,
  to: bar.to ?? now,
  end: bar.end,
  waits: bar.waits.map((wait) => ({ from: wait.from, to: wait.to ?? now })),
});

/** Neighbouring states with one word are one part. */
const joined = (states: TimelineView['states']): PageTimeline['states'] => {
  const parts: { word: string; from: number; to: number }[] = [];
  for (const state of states) {
    const last = parts.at(-1);
    if (last?.word === state.word) last.to = state.to;
    else parts.push({ ...state });
  }
  return parts;
};
