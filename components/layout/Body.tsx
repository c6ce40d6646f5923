import { Box } from 'ink';
import { memo } from 'react';
import { useRegion } from '../../hooks/hit-map.ts';
import { keyFor, withKeys } from '../../src/keymap/table.ts';
import { type Layout, otherThird } from '../../src/store/layout.ts';
import { focusedPane, type PlaceName, paneNamed, panes, tabNames } from '../../src/store/panes/index.ts';
import type { Pane } from '../../src/store/panes/pane.ts';
import { selectShownTasks } from '../../src/store/tasks/select-shown-tasks.ts';
import type { ViewState } from '../../src/store/view.ts';
import type { LocalTime } from '../../src/words/local-time.ts';
import { drawings } from '../panes/index.ts';
import { Lines } from '../parts/Lines.tsx';
import { Rule } from '../parts/Rule.tsx';
import { bold, type Line, span, widthOfLine } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';

interface BodyProps {
  readonly view: ViewState;
  readonly now: LocalTime;
  readonly layout: Layout;
}

/** The panes between header and footer. */
export const Body = ({ view, now, layout }: BodyProps) => {
  const { focus, tab } = view.ui;
  const common = { view, now };
  if (layout.kind === 'single') {
    const shown = focusedPane(view).name;
    return (
      <Place {...common} names={allNames} shown={shown} width={layout.columns} height={layout.top} focused />
    );
  }
  const signal = focus === 'inbox' || focus === 'processed' ? focus : null;
  const wide = layout.kind === 'wide';
  const beside =
    layout.third === 0 ? null : tab === view.ui.third ? otherThird(view.ui.third) : view.ui.third;
  const right = wide || signal === null ? tab : signal;
  const main = (
    <Box flexDirection="column">
      <Box>
        <Place
          {...common}
          names={['tasks']}
          shown="tasks"
          width={layout.left}
          height={layout.top}
          focused={focus === 'tasks'}
        />
        <Bar height={layout.top} />
        <Place
          {...common}
          names={wide ? tabNames : allNames.slice(1)}
          shown={right}
          width={layout.right}
          height={layout.top}
          focused={focus === 'right' || (!wide && signal !== null)}
        />
      </Box>
      {wide && <Signals {...common} layout={layout} />}
    </Box>
  );
  if (beside === null) return main;
  // The third column has its own share of rows: signals grow without moving it.
  const height = layout.top + layout.bottom - layout.events;
  const third = { ...common, width: layout.third, focused: false };
  return (
    <Box>
      {main}
      <Bar
        height={layout.top + layout.bottom}
        joints={{
          [height]: 'teeRight',
          [layout.top]: layout.bottom === 1 ? 'bar' : layout.top === height ? 'cross' : 'teeLeft',
        }}
      />
      <Box flexDirection="column">
        <Place {...third} names={[beside]} shown={beside} height={height} />
        <Place {...third} names={['events']} shown="events" height={layout.events} />
      </Box>
    </Box>
  );
};

/** Inbox beside Processed: one line while both are empty. */
const Signals = ({ view, now, layout }: BodyProps) => {
  const common = { view, now, height: layout.bottom };
  return (
    <Box>
      <Place
        {...common}
        names={['inbox']}
        shown="inbox"
        width={layout.left}
        focused={view.ui.focus === 'inbox'}
      />
      <Bar height={layout.bottom} joints={{ 0: layout.bottom === 1 ? 'bar' : 'cross' }} />
      <Place
        {...common}
        names={['processed']}
        shown="processed"
        width={layout.right}
        focused={view.ui.focus === 'processed'}
      />
    </Box>
  );
};

const allNames: readonly PlaceName[] = panes.map((pane) => pane.name);

interface PlaceProps {
  readonly view: ViewState;
  readonly now: LocalTime;
  /** The names of the panes in this place. More than one makes tabs. */
  readonly names: readonly PlaceName[];
  readonly shown: string;
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
}

/** A title line and the pane under it. */
const Place = ({ view, now, names, shown, width, height, focused }: PlaceProps) => {
  const pane = paneNamed(shown);
  const Drawing = drawings[pane.name];
  const empty = pane.empty(view);
  // A pane of one line has room for its title, and for how much there is.
  const note =
    empty !== null && height === 1
      ? [span('empty', 'secondary')]
      : pane.note(view, width).map(({ text, tone }) => span(text, tone));
  const noteRoom = names.length === 1 || note.length === 0 ? 0 : widthOfLine(note) + 3;
  const box = useRegion(() => ({ kind: 'pane', pane: shown }), 'pane');
  return (
    <Box ref={box} flexDirection="column" width={width} height={height} flexShrink={0}>
      <Rule
        left={titleOf(view, names, shown, width, noteRoom)}
        right={note}
        width={width}
        focused={focused}
        bare={height === 1}
      />
      {empty === null ? (
        <Drawing view={view} now={now} width={width} height={height - 1} focused={focused} />
      ) : (
        <Lines lines={[[span(` ${withKeys(view, empty)}`, 'secondary')]]} width={width} height={height - 1} />
      )}
    </Box>
  );
};

/** The names of the panes in this place, shorter where the note would not fit. With several, the shown one stands in brackets. */
const titleOf = (
  view: ViewState,
  places: readonly PlaceName[],
  shown: string,
  width: number,
  noteRoom: number,
): Line => {
  const entries = panes.filter((pane) => places.includes(pane.name));
  if (entries.length === 1) return [bold(entries[0]?.title ?? '')];
  const nameOf = (entry: Pane, form: TabForm): string => {
    const key = form.numbered && digits.includes(entry.name) ? `${keyFor(view, `look.${entry.name}`)} ` : '';
    // A screen this small shows nowhere else that some tasks are hidden.
    const narrowed = entry.name === 'tasks' && shown === 'tasks' ? selectShownTasks(view).narrowed : '';
    const name = form.short.has(entry.name) ? entry.short : entry.title;
    return `${key}${name}${entry.badge(view)}${narrowed === '' ? '' : ` ${narrowed}`}`;
  };
  const forms = tabForms(entries, shown).map((form) => entries.map((entry) => nameOf(entry, form)));
  const room = width - 4 - noteRoom;
  const names = forms.find((form) => form.join(' ').length + 2 <= room) ?? forms.at(-1) ?? [];
  return entries.flatMap((entry, index) => [
    span(index === 0 ? '' : ' '),
    {
      ...(entry.name === shown ? bold(`[${names[index]}]`, 'accent') : span(names[index] ?? '')),
      target: { kind: 'tab', pane: entry.name },
    },
  ]);
};

interface TabForm {
  readonly numbered: boolean;
  /** The tabs with their short names. */
  readonly short: ReadonlySet<string>;
}

/** How the tabs may be named, the first that fits: a key says more than the rest of a word, and the open tab is shortened last. */
const tabForms = (entries: readonly Pane[], shown: string): readonly TabForm[] => {
  const saving = ({ name, title, short }: Pane): number => (name === shown ? 0 : title.length - short.length);
  const order = entries.toSorted((a, b) => saving(b) - saving(a)).map(({ name }) => name);
  return [true, false].flatMap((numbered) =>
    [0, ...order.map((_, index) => index + 1)].map((count) => ({
      numbered,
      short: new Set(order.slice(0, count)),
    })),
  );
};

/** The panes behind the digits, in order. */
const digits: readonly string[] = [...tabNames, 'inbox', 'processed'];

interface BarProps {
  readonly height: number;
  /** Where rules of its sides meet it, by row. */
  readonly joints?: Readonly<Record<number, 'bar' | 'cross' | 'teeLeft' | 'teeRight'>>;
}

/** The vertical line between two panes. Drawn once for each height. */
const Bar = memo(({ height, joints }: BarProps) => {
  const { glyphs } = useTheme();
  const lines = Array.from({ length: height }, (_, row): Line => {
    const joint = joints?.[row] ?? (row === 0 ? 'teeDown' : 'bar');
    return [span(glyphs[joint], 'furniture')];
  });
  return <Lines lines={lines} width={1} height={height} />;
});
