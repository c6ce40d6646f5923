import { type DetailLine, selectDetails } from '../../src/store/select-details.ts';
import { wrap } from '../../src/store/width.ts';
import { Lines } from '../parts/Lines.tsx';
import type { PaneProps } from '../parts/pane-props.ts';
import { blank, bold, type Line, span } from '../parts/span.ts';

/** All that is known of the task one looks at. */
export const DetailsPane = ({ view, width, height }: PaneProps) => {
  const lines = selectDetails(view).flatMap((line) => detailLines(line, width));
  const top = Math.min(view.ui.detailsTop, Math.max(0, lines.length - height));
  return <Lines lines={lines.slice(top, top + height)} width={width} height={height} />;
};

const detailLines = (line: DetailLine, width: number): readonly Line[] => {
  switch (line.kind) {
    case 'title':
      return wrap(line.text, width - 2).map((text) => [bold(` ${text}`)]);
    case 'heading':
      return [blank, [span(` ${line.text}`, 'accent')]];
    case 'item':
      return wrap(line.text, width - 5).map((text, index) => [
        span(index === 0 ? ' · ' : '   ', 'quiet'),
        span(text),
      ]);
    case 'text':
      return wrap(line.text, width - 2).map((text) => [span(` ${text}`)]);
    case 'good':
    case 'bad':
      return wrap(line.text, width - 2).map((text) => [
        span(` ${text}`, line.kind === 'good' ? 'good' : 'bad'),
      ]);
  }
};
