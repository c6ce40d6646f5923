import { Box } from 'ink';
import { memo } from 'react';
import type { LocalTime } from '../../src/words/local-time.ts';
import { Lines } from '../draw/Lines.tsx';
import { type Line, span } from '../draw/span.ts';
import { useTheme } from '../draw/theme-context.tsx';
import type { Target } from '../keys/mouse.ts';
import { type Layout, otherThird } from '../layout.ts';
import { focusedPane, type PlaceName, paneNamed, panes, tabNames } from '../panes.ts';
import type { ViewState } from '../view.ts';
import { Place, PlaceBody, PlaceTitle } from './Place.tsx';
import { leastTitle, tabsRoom } from './tab-names.ts';

interface BodyProps {
  readonly view: ViewState;
  readonly now: LocalTime;
  readonly layout: Layout;
}

/** The panes between header and footer. */
export const Body = ({ view, now, layout }: BodyProps) => {
  const { tab } = view.ui;
  const common = { view, now };
  if (layout.kind === 'single') {
    const shown = focusedPane(view).name;
    return (
      <Place {...common} names={allNames} shown={shown} width={layout.columns} height={layout.top} focused />
    );
  }
  if (layout.kind === 'narrow') return <Narrow {...common} layout={layout} />;
  const beside =
    layout.third === 0 ? null : tab === view.ui.third ? otherThird(view.ui.third) : view.ui.third;
  const main = <Main {...common} layout={layout} />;
  if (beside === null) return main;
  // The third column has its own share of rows: signals grow without moving it.
  const height = layout.top + layout.bottom - layout.events;
  const third = { ...common, width: layout.third, focused: false };
  // Nothing is shown twice: beside the Events tab the foot has the other pane of this column.
  const below = tab === 'events' ? otherThird(beside) : 'events';
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
        <Place {...third} names={[below]} shown={below} height={layout.events} />
      </Box>
    </Box>
  );
};

/** Two panes under one row of titles: the tabs take what they need of it, so that each keeps its number and its name. */
const Narrow = ({ view, now, layout }: BodyProps) => {
  const { focus, tab } = view.ui;
  const { name: shown } = paneNamed(focus === 'inbox' || focus === 'processed' ? focus : tab);
  const tabs = Math.min(
    layout.columns - leastTitle(view, 'tasks'),
    Math.max(layout.right, tabsRoom(view, besideTasks, shown, layout.columns - leastTitle(view, 'tasks'))),
  );
  const left = { view, now, names: ['tasks'], shown: 'tasks', focused: focus === 'tasks' } as const;
  const right = { view, now, names: besideTasks, shown, focused: focus !== 'tasks' };
  const height = layout.top - 1;
  return (
    <Box flexDirection="column">
      <Box>
        <PlaceTitle {...left} width={layout.columns - tabs} height={layout.top} />
        <PlaceTitle {...right} width={tabs} height={layout.top} />
      </Box>
      <Box>
        <PlaceBody {...left} width={layout.left} height={height} />
        <Bar height={height} joints={{ 0: 'bar' }} target={divider} />
        <PlaceBody {...right} width={layout.right} height={height} />
      </Box>
    </Box>
  );
};

/** Tasks above Inbox, beside the tabs above Processed. Inbox and Processed have no row while they are empty, each for itself. */
const Main = ({ view, now, layout }: BodyProps) => {
  const { focus, tab } = view.ui;
  const left = { view, now, width: layout.left };
  const right = { view, now, width: layout.right };
  return (
    <Box>
      <Box flexDirection="column">
        <Place {...left} names={['tasks']} shown="tasks" height={layout.tasks} focused={focus === 'tasks'} />
        {layout.inbox > 0 && (
          <Place
            {...left}
            names={['inbox']}
            shown="inbox"
            height={layout.inbox}
            focused={focus === 'inbox'}
          />
        )}
      </Box>
      <Bar height={layout.top + layout.bottom} joints={jointsOf(layout)} target={divider} />
      <Box flexDirection="column">
        <Place
          {...right}
          names={tabNames}
          shown={paneNamed(tab).name}
          height={layout.top}
          focused={focus === 'right'}
        />
        {layout.bottom > 0 && (
          <Place
            {...right}
            names={['processed']}
            shown="processed"
            height={layout.bottom}
            focused={focus === 'processed'}
          />
        )}
      </Box>
    </Box>
  );
};

/** The rules above Inbox and Processed meet the line between them. That above a pane of one line ends before it on the left. */
const jointsOf = ({ tasks, inbox, top }: Layout): NonNullable<BarProps['joints']> => {
  const own = inbox === 1 ? 'bar' : 'teeLeft';
  const both = inbox === 1 ? 'teeRight' : 'cross';
  return { [tasks]: own, [top]: tasks === top ? both : 'teeRight' };
};

const allNames: readonly PlaceName[] = panes.map((pane) => pane.name);
const besideTasks = allNames.filter((name) => name !== 'tasks');

const divider: Target = { kind: 'divider' };

interface BarProps {
  readonly height: number;
  /** What a press on it takes hold of. */
  readonly target?: Target;
  /** Where rules of its sides meet it, by row. */
  readonly joints?: Readonly<Record<number, 'bar' | 'cross' | 'teeLeft' | 'teeRight'>>;
}

/** The vertical line between two panes. Drawn once for each height. */
const Bar = memo(({ height, joints, target }: BarProps) => {
  const { glyphs } = useTheme();
  const lines = Array.from({ length: height }, (_, row): Line => {
    const joint = joints?.[row] ?? (row === 0 ? 'teeDown' : 'bar');
    return [{ ...span(glyphs[joint], 'furniture'), ...(target === undefined ? {} : { target }) }];
  });
  return <Lines lines={lines} width={1} height={height} />;
});
