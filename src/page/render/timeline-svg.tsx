/** @jsxImportSource hono/jsx */

import { startOf, widthOf } from '../../words/width.ts';
import type { PageModel } from '../model/page-model.ts';
import type { PageBar, PageTimeline } from '../model/page-timeline.ts';
import { clockTime, elapsed } from './words.ts';

const width = 1000;
const side = 92;
const row = { state: 22, lane: 26, bar: 18 };
/** Pixels of a character of a label. */
const letter = 6.4;
/** More bars than this are one smear. */
const mostBars = 2_000;

/** Lanes of agents over time, with the parts of the session above and signals below. */
export const TimelineSvg = ({ timeline, offset }: Pick<PageModel, 'timeline' | 'offset'>) => {
  const { from, to, lanes, states, marks, spans } = timeline;
  if (lanes.length === 0 || to <= from) return null;
  const x = (ms: number): number =>
    side + ((Math.min(to, Math.max(from, ms)) - from) / (to - from)) * (width - side - 8);
  const top = row.state + 10;
  const bottom = top + lanes.length * row.lane;
  const height = bottom + 34;
  return (
    <div class="scroll timeline" tabindex={0} role="region" aria-label="Timeline">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={summary(timeline)}>
        {states.map((state, index) => (
          <StateBand state={state} x={x} index={index} />
        ))}
        {ticksOf(from, to).map((at) => (
          <g class="tick">
            <line x1={x(at).toFixed(1)} x2={x(at).toFixed(1)} y1={top - 4} y2={bottom + 4} />
            <text x={x(at).toFixed(1)} y={bottom + 30} text-anchor="middle">
              {clockTime(at, offset)}
            </text>
          </g>
        ))}
        {spans.map((span) => (
          <rect
            x={x(span.from).toFixed(1)}
            y={top}
            width={Math.max(2, x(span.to) - x(span.from)).toFixed(1)}
            height={bottom - top}
            class={`span ${span.why}`}
          >
            <title>{`${waitWords[span.why]} ${elapsed(span.to - span.from)}`}</title>
          </rect>
        ))}
        {lanes.map((lane, index) => (
          <g>
            <text x="0" y={top + index * row.lane + 17} class="lane">
              {cut(lane.title, side - 8)}
            </text>
            {lane.bars.slice(-mostBars).map((bar) => (
              <BarOf bar={bar} x={x} y={top + index * row.lane + 4} />
            ))}
          </g>
        ))}
        {marks.map((mark) => (
          <g class="mark">
            <circle cx={x(mark.at).toFixed(1)} cy={bottom + 10} r="7" />
            <text x={x(mark.at).toFixed(1)} y={bottom + 13.5} text-anchor="middle">
              {mark.letter}
            </text>
            <title>{`${clockTime(mark.at, offset)} ${mark.text}`}</title>
          </g>
        ))}
      </svg>
    </div>
  );
};

const StateBand = (props: {
  readonly state: PageTimeline['states'][number];
  readonly x: (ms: number) => number;
  readonly index: number;
}) => {
  const { state, x, index } = props;
  const [left, right] = [x(state.from), x(state.to)];
  const label = right - left > widthOf(state.word) * letter + 6 ? state.word : '';
  return (
    <g class={index % 2 === 0 ? 'state even' : 'state odd'}>
      <rect
        x={left.toFixed(1)}
        y="0"
        width={Math.max(0.5, right - left).toFixed(1)}
        height={row.state}
        rx="3"
      >
        <title>{`${state.word} ${elapsed(state.to - state.from)}`}</title>
      </rect>
      <text x={(left + 5).toFixed(1)} y="15">
        {label}
      </text>
    </g>
  );
};

const BarOf = ({
  bar,
  x,
  y,
}: {
  readonly bar: PageBar;
  readonly x: (ms: number) => number;
  readonly y: number;
}) => {
  const [left, right] = [x(bar.from), x(bar.to)];
  const size = Math.max(3, right - left);
  return (
    <g class={`bar ${bar.end}`}>
      <rect x={left.toFixed(1)} y={y} width={size.toFixed(1)} height={row.bar} rx="3" />
      {bar.waits.map((wait) => (
        <rect
          x={x(wait.from).toFixed(1)}
          y={y}
          width={Math.max(1, x(wait.to) - x(wait.from)).toFixed(1)}
          height={row.bar}
          class="waits"
        />
      ))}
      <text x={(left + 5).toFixed(1)} y={y + 13}>
        {cut(bar.label, size - 8)}
      </text>
      <title>{`${bar.label} · ${endWords[bar.end]} · ${elapsed(bar.to - bar.from)}`}</title>
    </g>
  );
};

/** How an agent's turn ended, in words. */
export const endWords: { readonly [end in PageBar['end']]: string } = {
  running: 'running',
  good: 'ended well',
  bad: 'failed',
  stopped: 'stopped',
};

const waitWords: { readonly [why in PageTimeline['spans'][number]['why']]: string } = {
  you: 'asked a person',
  pause: 'paused',
  stop: 'not running',
};

/** The text in so many pixels; '' where only a stump would fit. */
const cut = (text: string, pixels: number): string => {
  const cells = Math.floor(pixels / letter);
  if (widthOf(text) <= cells) return text;
  return cells < 3 ? '' : `${startOf(text, cells - 1)}…`;
};

const steps = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400, 604_800];

/** At most eight round times, none at the very edge. */
const ticksOf = (from: number, to: number): readonly number[] => {
  const step = (steps.find((seconds) => (to - from) / (seconds * 1_000) <= 8) ?? 2_592_000) * 1_000;
  const ticks: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to && ticks.length < 12; at += step)
    if (at - from > (to - from) * 0.03 && to - at > (to - from) * 0.03) ticks.push(at);
  return ticks;
};

const summary = ({ lanes, marks, from, to }: PageTimeline): string => {
  const bars = lanes.reduce((sum, lane) => sum + lane.bars.length, 0);
  return `${bars} agent turns on ${lanes.length} lanes over ${elapsed(to - from)}, and ${marks.length} signals and starts`;
};
