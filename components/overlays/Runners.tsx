import { selectRunnerLines } from '../../src/store/overlays/runners.ts';
import type { OverlayProps } from '../parts/overlay-props.ts';
import { TextWindow } from '../parts/TextWindow.tsx';

/** The machines, containers and fences that work for the session. */
export const Runners = (props: OverlayProps<'runners'>) => (
  <TextWindow {...props} title="Runners" lines={selectRunnerLines(props.view.session, props.now)} />
);
