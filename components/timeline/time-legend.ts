import type { Tone } from '../draw/palettes.ts';
import { type Line, span, widthOfLine } from '../draw/span.ts';
import type { Axis } from './time-axis.ts';
import { drawnMarks, markTone, signOf, tones, waitSign, waits } from './time-bars.ts';
import { letterOf, type Mark } from './timeline.ts';

interface Entry {
  readonly sign: string;
  readonly tone: Tone;
  readonly words: string;
  /** A line, which is drawn twice where there is room. */
  readonly isLine: boolean;
  /** Other panes use the sign with the same meaning: it gives way first. */
  readonly isKnown: boolean;
}

/** What the lines, signs and letters in sight mean, in one line of at most `width` cells where all but the known ones fit. */
export const legendLine = (axis: Axis, width: number): Line => {
  const entries = entriesOf(axis);
  const forms = [drawn(entries, 2), drawn(entries, 1)];
  for (let left = entries; left.some(({ isKnown }) => isKnown); ) {
    const last = left.findLastIndex(({ isKnown }) => isKnown);
    left = left.filter((_, at) => at !== last);
    forms.push(drawn(left, 1));
  }
  return forms.find((line) => widthOfLine(line) <= width) ?? forms.at(-1) ?? [];
};

/** `room`: the cells before each entry, and of a sign that is a line. */
const drawn = (entries: readonly Entry[], room: 1 | 2): Line =>
  entries.flatMap(({ sign, tone, words, isLine }, at) => [
    span(`${' '.repeat(at === 0 ? 1 : room)}${sign.repeat(isLine ? room : 1)}`, tone),
    span(` ${words}`, 'secondary'),
  ]);

const entriesOf = (axis: Axis): readonly Entry[] => {
  const { timeline, theme } = axis;
  const { lanes, spans } = timeline;
  const bars = lanes.flatMap((lane) => lane.bars);
  const whys = new Set([...spans, ...bars.flatMap((bar) => bar.waits)].map(({ why }) => why));
  const ends = new Map(bars.map((bar) => [bar.end, bar]));
  const letters = Map.groupBy(drawnMarks(axis).values(), letterOf);
  return [
    // The tone of a bar tells how it ended.
    { sign: theme.glyphs.focusRule, tone: 'text', words: 'works', isLine: true, isKnown: true },
    ...(['you', 'pause', 'stop'] as const).flatMap((why): readonly Entry[] => {
      const { tone, words } = waits[why];
      const sign = waitSign(why, theme);
      return whys.has(why)
        ? [{ sign, tone, words: (words[0] ?? '').trim(), isLine: true, isKnown: false }]
        : [];
    }),
    ...(['good', 'bad', 'stopped'] as const).flatMap((end): readonly Entry[] => {
      const bar = ends.get(end);
      return bar === undefined
        ? []
        : [
            {
              sign: signOf(bar, theme),
              tone: tones[end],
              words: endWords[end],
              isLine: false,
              isKnown: end !== 'stopped',
            },
          ];
    }),
    ...[...letters].flatMap(([sign, [first, ...others]]): readonly Entry[] =>
      first === undefined
        ? []
        : [
            {
              sign,
              tone: markTone(first),
              words: markWords([first, ...others]),
              isLine: false,
              isKnown: false,
            },
          ],
    ),
  ];
};

const endWords = { good: 'done', bad: 'failed', stopped: 'cut off' } as const;

/** Signals by their types, "steer, skip"; starts and stops of the program by what they are. */
const markWords = (marks: readonly Mark[]): string =>
  [...new Set(marks.map(({ kind, text }) => (kind === 'signal' ? text.toLowerCase() : kind)))].join(', ');
