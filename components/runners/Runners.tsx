import type { OverlayProps } from '../draw/overlay-props.ts';
import { TextWindow } from '../draw/TextWindow.tsx';
import { selectRunnerLines } from './runners-text.ts';

/** The machines, containers and fences that work for the session. */
export const Runners = (props: OverlayProps<'runners'>) => (
  <TextWindow {...props} title="Runners" lines={selectRunnerLines(props.view.session, props.now)} />
);
