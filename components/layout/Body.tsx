import { Box } from 'ink';
import { memo } from 'react';
import { useRegion } from '../../hooks/hit-map.ts';
import { keyFor } from '../../src/keymap/table.ts';
import type { Layout } from '../../src/store/layout.ts';
import type { Moment } from '../../src/store/moment.ts';
import { selectOutputSubject } from '../../src/store/select-output.ts';
import { selectShownTasks } from '../../src/store/select-shown-tasks.ts';
import { selectSignals } from '../../src/store/select-signals.ts';
import { selectTasks, type TaskTable } from '../../src/store/select-tasks.ts';
import { tabNames, type ViewState } from '../../src/store/view.ts';
import { type PaneEntry, panes } from '../panes/index.ts';
import { Lines } from '../parts/Lines.tsx';
import { Rule } from '../parts/Rule.tsx';
import { bold, type Line, span } from '../parts/span.ts';
import { useTheme } from '../parts/theme-context.ts';

interface BodyProps {
  readonly view: ViewState;
  readonly now: Moment;
  readonly layout: Layout;
}

/** The panes between header and footer. */
export const Body = ({ view, now, layout }: BodyProps) => {
  const { focus, tab } = view.ui;
  const common = { view, now };
  if (layout.kind === 'single') {
    const shown = focus === 'right' ? tab : focus;
    return (
      <Place {...common} names={allNames} shown={shown} width={layout.columns} height={layout.top} focused />
    );
  }
  const signal = focus === 'inbox' || focus === 'processed' ? focus : null;
  const wide = layout.kind === 'wide';
  const right = wide || signal === null ? tab : signal;
  return (
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
      {wide && (
        <Box>
          <Place
            {...common}
            names={['inbox']}
            shown="inbox"
            width={layout.left}
            height={layout.bottom}
            focused={focus === 'inbox'}
          />
          <Bar height={layout.bottom} crossing />
          <Place
            {...common}
            names={['processed']}
            shown="processed"
            width={layout.right}
            height={layout.bottom}
            focused={focus === 'processed'}
          />
        </Box>
      )}
    </Box>
  );
};

const allNames: readonly PaneEntry['name'][] = panes.map((pane) => pane.name);

interface PlaceProps {
  readonly view: ViewState;
  readonly now: Moment;
  /** What can stand here; more than one makes tabs. */
  readonly names: readonly PaneEntry['name'][];
  readonly shown: PaneEntry['name'];
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
}

/** A title line and the pane under it. */
const Place = ({ view, now, names, shown, width, height, focused }: PlaceProps) => {
  const entry = panes.find((pane) => pane.name === shown);
  const box = useRegion(() => ({ kind: 'pane', pane: shown }), 'pane');
  return (
    <Box ref={box} flexDirection="column" width={width} height={height} flexShrink={0}>
      <Rule
        left={titleOf(view, names, shown, width)}
        right={noteOf(view, shown, width)}
        width={width}
        focused={focused}
      />
      {entry && <entry.Pane view={view} now={now} width={width} height={height - 1} focused={focused} />}
    </Box>
  );
};

/** The names of what can stand here; the one shown stands in brackets when there are several. */
const titleOf = (
  view: ViewState,
  names: readonly PaneEntry['name'][],
  shown: PaneEntry['name'],
  width: number,
): Line => {
  const entries = panes.filter((pane) => names.includes(pane.name));
  if (entries.length === 1) return [bold(entries[0]?.title ?? '')];
  const numbered = width >= 70;
  const title = (entry: PaneEntry, name: string): string => {
    const key = numbered && digits.includes(entry.name) ? `${keyFor(view, `look.${entry.name}`)} ` : '';
    const pending = entry.name === 'inbox' ? selectSignals(view).inbox.length : 0;
    // Nothing else on a screen this small says that some tasks are hidden.
    const narrowed = entry.name === 'tasks' && shown === 'tasks' ? selectShownTasks(view).narrowed : '';
    return `${key}${name}${pending > 0 ? ` ${pending}` : ''}${narrowed === '' ? '' : ` ${narrowed}`}`;
  };
  const whole = entries.reduce((sum, entry) => sum + title(entry, entry.title).length + 1, 1);
  const nameOf = (entry: PaneEntry): string => title(entry, whole > width - 4 ? entry.short : entry.title);
  return entries.flatMap((entry, index) => [
    span(index === 0 ? '' : ' '),
    {
      ...(entry.name === shown ? bold(`[${nameOf(entry)}]`) : span(nameOf(entry), 'quiet')),
      target: { kind: 'tab', pane: entry.name },
    },
  ]);
};

/** What the keys 1 to 6 show, in their order. */
const digits: readonly PaneEntry['name'][] = [...tabNames, 'inbox', 'processed'];

/** "5 of 8 done · 1 failed · chain of 3", or as much of it as there is room for beside the title. */
const progressOf = ({ done, failed, total, chain }: TaskTable, width: number): Line => {
  if (total === 0) return [];
  const lost = failed > 0 ? ` · ${failed} failed` : '';
  const room = width - 12;
  const text =
    [`${done} of ${total} done${lost}`, `${done}/${total}${lost}`].find(({ length }) => length <= room) ??
    `${done}/${total}`;
  const rest = ` · chain of ${chain}`;
  const chained = chain > 1 && width >= 44 && text.length + rest.length <= room;
  return [span(text, 'quiet'), span(chained ? rest : '', 'warn')];
};

/** What is worth knowing about a pane at the right end of its title. */
const noteOf = (view: ViewState, shown: PaneEntry['name'], width: number): Line => {
  switch (shown) {
    case 'tasks': {
      const { narrowed } = selectShownTasks(view);
      return narrowed === '' ? progressOf(selectTasks(view), width) : [span(narrowed, 'warn')];
    }
    case 'output': {
      const { title } = selectOutputSubject(view);
      return title === '' ? [] : [span(title, 'quiet')];
    }
    case 'inbox':
    case 'processed': {
      const rows = selectSignals(view)[shown].length;
      return rows === 0 ? [] : [span(String(rows), 'quiet')];
    }
    case 'changes':
    case 'details':
    case 'events':
      return [];
  }
};

interface BarProps {
  readonly height: number;
  readonly crossing?: boolean;
}

/** The upright line between two panes. It is drawn once for each height. */
const Bar = memo(({ height, crossing }: BarProps) => {
  const { glyphs } = useTheme();
  const lines = Array.from({ length: height }, (_, row): Line => {
    const joint = crossing ? glyphs.cross : glyphs.teeDown;
    return [span(row === 0 ? joint : glyphs.bar, 'quiet')];
  });
  return <Lines lines={lines} width={1} height={height} />;
});
