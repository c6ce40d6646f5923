import { Box } from 'ink';
import { useRegion } from '../../hooks/hit-map.ts';
import type { LocalTime } from '../../src/words/local-time.ts';
import { wrap } from '../../src/words/width.ts';
import { Lines } from '../draw/Lines.tsx';
import { Rule } from '../draw/Rule.tsx';
import { span } from '../draw/span.ts';
import { drawings } from '../pane-components.tsx';
import { type PlaceName, paneNamed } from '../panes.ts';
import { withKeys } from '../table.ts';
import type { ViewState } from '../view.ts';
import { noteBeside, titleOf } from './tab-names.ts';

interface PlaceProps {
  readonly view: ViewState;
  readonly now: LocalTime;
  /** The names of the panes in this place. More than one makes tabs. */
  readonly names: readonly PlaceName[];
  readonly shown: PlaceName;
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
}

/** A title line and the pane under it. */
export const Place = (props: PlaceProps) => (
  <Box flexDirection="column" width={props.width} height={props.height} flexShrink={0}>
    <PlaceTitle {...props} />
    <PlaceBody {...props} height={props.height - 1} />
  </Box>
);

/** The title line of a place of `height` rows. */
export const PlaceTitle = ({ view, names, shown, width, height, focused }: PlaceProps) => {
  const pane = paneNamed(shown);
  // A pane of one line has room for its title, and for how much there is.
  const note =
    pane.empty(view) !== null && height === 1
      ? [span('empty', 'secondary')]
      : (names.length > 1 ? noteBeside(view, shown, width) : pane.note(view, width)).map(({ text, tone }) =>
          span(text, tone),
        );
  const box = useRegion(() => ({ kind: 'pane', pane: shown }), 'pane');
  return (
    <Box ref={box} width={width} height={1} flexShrink={0}>
      <Rule
        left={titleOf(view, names, shown, width)}
        right={note}
        width={width}
        focused={focused}
        bare={height === 1}
      />
    </Box>
  );
};

/** The pane of a place, without its title. */
export const PlaceBody = ({ view, now, shown, width, height, focused }: PlaceProps) => {
  const pane = paneNamed(shown);
  const Drawing = drawings[pane.name];
  const empty = pane.empty(view);
  const box = useRegion(() => ({ kind: 'pane', pane: shown }), 'pane');
  return (
    <Box ref={box} width={width} height={height} flexShrink={0}>
      {empty === null ? (
        <Drawing view={view} now={now} width={width} height={height} focused={focused} />
      ) : (
        <Lines
          lines={wrap(withKeys(view, empty), Math.max(1, width - 1)).map((text) => [
            span(` ${text}`, 'secondary'),
          ])}
          width={width}
          height={height}
        />
      )}
    </Box>
  );
};
